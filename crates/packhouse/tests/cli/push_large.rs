//! `packhouse push` of large files, which are sent while their checksums are computed.

use std::{
    fs,
    io::Write,
    process::Stdio,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use suite::Relay;
use tokio::process::{Child, Command};

use crate::scene::{Scene, bytes};

/// Takes most of a minute on a slow network.
const SIZE: usize = 48 << 20;

/// Takes twenty seconds on a slow network.
const LONG: usize = 20 << 20;

/// The number of bytes that a push has sent when it is disturbed.
const BEGUN: usize = 1 << 20;

#[tokio::test]
async fn a_large_file_arrives_as_it_is() {
    let scene = Scene::start().await;
    scene.file("big.bin", bytes(SIZE + 1));

    assert_eq!(way(&scene, "ada/tools/cat/1.0").await, "uploaded");

    scene.run(&["pull", "ada/tools/cat/1.0", "--output", "out"]).await.succeeds();
    assert!(scene.read("out/ada/tools/cat/1.0/big.bin") == scene.read("big.bin"));
}

#[tokio::test]
async fn what_this_version_or_the_one_before_has_is_not_sent_again() {
    let scene = Scene::start().await;
    scene.file("big.bin", bytes(SIZE));
    way(&scene, "ada/tools/cat/1.0").await;

    assert_eq!(way(&scene, "ada/tools/cat/1.0").await, "identical");
    assert_eq!(way(&scene, "ada/tools/cat/2.0").await, "deployed");
}

#[tokio::test]
async fn the_same_name_and_size_may_be_other_content() {
    let scene = Scene::start().await;
    scene.file("big.bin", bytes(SIZE));
    way(&scene, "ada/tools/cat/1.0").await;
    scene.file("big.bin", [&b"x"[..], &bytes(SIZE)[1..]].concat());

    assert_eq!(way(&scene, "ada/tools/cat/2.0").await, "uploaded");
}

#[tokio::test]
async fn a_slow_network_is_spared_what_the_server_has_anywhere() {
    let scene = Scene::start().await;
    scene.file("big.bin", bytes(SIZE));
    way(&scene, "ada/tools/cat/1.0").await;
    fs::rename(scene.folder.path().join("big.bin"), scene.folder.path().join("other.bin")).expect("renamed");
    let relay = scene.relay();
    relay.slow_down();

    let push = start(&scene, &relay, "other.bin");

    assert_eq!(ended(push).await["files"][0]["sent"], json!("deployed"));
    assert!(relay.passed() < SIZE / 2, "{} bytes were sent", relay.passed());
}

#[tokio::test]
async fn a_large_file_is_sent_again_when_its_connection_breaks() {
    let scene = Scene::start().await;
    scene.file("big.bin", bytes(SIZE));
    let mut relay = scene.relay();
    relay.slow_down();
    let push = start(&scene, &relay, "big.bin");
    relay.passes(BEGUN).await;

    relay.cut().await;
    relay.restore();

    assert_eq!(ended(push).await["files"][0]["sent"], json!("uploaded"));
    let stored = scene.server.anyone().download("/ada/tools/big.bin").await.expect(200);
    assert!(stored.body == scene.read("big.bin"));
}

#[tokio::test]
async fn a_file_that_changes_on_its_way_is_noticed_and_not_stored() {
    let scene = Scene::start().await;
    scene.file("big.bin", bytes(SIZE));
    let mut relay = scene.relay();
    relay.slow_down();
    let push = start(&scene, &relay, "big.bin");
    relay.passes(BEGUN).await;

    let path = scene.folder.path().join("big.bin");
    fs::File::options().write(true).open(path).expect("there").write_all(b"x").expect("written");
    relay.restore();

    let output = push.wait_with_output().await.expect("it ends");
    assert_eq!(output.status.code(), Some(10), "{output:?}");
    let summary: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(summary["files"][0]["error"], json!("big.bin: it changed during the push"));
    let staged = scene.ada.get("/packages/ada/tools/dog/versions/1.0/files?include_unpublished=1").await.expect(200);
    assert_eq!(staged.json(), json!([]));
}

#[tokio::test]
async fn an_upload_may_take_longer_than_a_server_may_be_silent() {
    let scene = Scene::start().await;
    scene.file("big.bin", bytes(LONG));
    let relay = scene.relay();
    relay.slow_down();
    let began = Instant::now();
    let push = start_with(&scene, &relay, "big.bin", &["--timeout", "12"]);

    assert_eq!(ended(push).await["files"][0]["sent"], json!("uploaded"));
    assert!(began.elapsed() > Duration::from_secs(14), "the network is slow: {:?}", began.elapsed());
    // Sent once: a second attempt would add its bytes.
    assert!(relay.passed() < LONG + BEGUN, "{} bytes", relay.passed());
}

/// Pushes `big.bin` into the version's own folder, and returns how it was transferred.
async fn way(scene: &Scene, version: &str) -> String {
    let pushed = ["push", version, "big.bin", "--create", "--publish", "--to", version, "--json"];
    let summary: Value = serde_json::from_str(&scene.run(&pushed).await.succeeds()).expect("JSON");
    summary["files"][0]["sent"].as_str().expect("a way").to_owned()
}

/// Starts a push through the relay.
fn start(scene: &Scene, relay: &Relay, file: &str) -> Child {
    start_with(scene, relay, file, &[])
}

/// Starts a push through the relay, with more flags.
fn start_with(scene: &Scene, relay: &Relay, file: &str, flags: &[&str]) -> Child {
    let through = format!("http://{}", relay.address);
    let push = ["push", "ada/tools/dog/1.0", file, "--create", "--publish", "--json", "--url", &through];
    let mut command = Command::from(scene.command_as(&scene.ada, &[&push[..], flags].concat()));
    command.kill_on_drop(true).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("it starts")
}

async fn ended(push: Child) -> Value {
    let output = push.wait_with_output().await.expect("it ends");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}
