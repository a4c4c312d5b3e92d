//! Clients do not notice that several nodes answer: every command of the manuals, large files, and revoked rights.

use std::{
    env,
    ffi::OsString,
    path::Path,
    process::Stdio,
    time::{Duration, Instant},
};

use serde_json::json;
use suite::{
    ADMIN_KEY,
    documents::{self, Block, followed_blocks},
};

use crate::{cluster::Cluster, node::path, shown::sum};

const API: &str = include_str!("../../../../docs/api.md");
const CLI: &str = include_str!("../../../../docs/cli.md");
const README: &str = include_str!("../../../../README.md");

/// How long all commands of a document may take together.
const PATIENCE: Duration = Duration::from_secs(600);

/// How late a node may learn about changes of another node.
const SOON: Duration = Duration::from_secs(1);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_line_of_the_api_manual_answers_as_it_says() {
    try_out("docs/api.md", &followed_blocks(API), None).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_line_of_the_manual_of_the_command_line_works() {
    // It would warn: this balancer buffers uploads before it forwards them, so that it can retry them.
    let manual = CLI.replace("\npackhouse doctor\n", "\n");
    assert!(manual.len() < CLI.len(), "the manual tells of it");
    try_out("docs/cli.md", &followed_blocks(&manual), Some("ada")).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_examples_of_the_readme_work() {
    try_out("README.md", &followed_blocks(README), None).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_large_file_is_the_same_at_every_node() {
    let cluster = Cluster::start().await;
    let ada = cluster.front().user("ada").await;
    ada.post("/repos/ada/tools").json(json!({})).await.expect(201);
    ada.post("/packages/ada/tools").json(json!({"name": "cat"})).await.expect(201);
    // Three parts of a multipart upload, all different.
    let content: Vec<u8> =
        (0..20_000_000_u32).map(|number| number.wrapping_mul(2_654_435_761).to_be_bytes()[0]).collect();
    ada.put("/content/ada/tools/cat/1.0/cat.bin?publish=1").body(content.clone()).await.expect(201);
    for door in cluster.doors() {
        let whole = door.anyone().download("/ada/tools/cat.bin").await.expect(200);
        assert_eq!(sum(&whole.body), sum(&content), "{}", door.base);
        let part = door.anyone().download("/ada/tools/cat.bin").header("range", "bytes=9000000-9000099").await;
        assert_eq!(part.expect(206).body, content[9_000_000..9_000_100], "{}", door.base);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_that_was_taken_away_is_refused_by_every_node_within_a_second() {
    let cluster = Cluster::start().await;
    let ada = cluster.front().user("ada").await;
    ada.post("/repos/ada/vault").json(json!({"private": true})).await.expect(201);
    ada.post("/packages/ada/vault").json(json!({"name": "cat"})).await.expect(201);
    ada.put("/content/ada/vault/cat/1.0/cat.bin?publish=1").body("meow").await.expect(201);
    ada.post("/users/ada/access_keys")
        .json(json!({"id": "client", "password": "open-sesame-mountain"}))
        .await
        .expect(201);
    let body = json!({"access": "r", "access_keys": ["client"]});
    ada.post("/repos/ada/vault/entitlements").json(body).await.expect(201);
    let clients: Vec<_> =
        cluster.doors().iter().map(|door| door.person("client@ada", "open-sesame-mountain")).collect();
    for client in &clients {
        assert_eq!(client.download("/ada/vault/cat.bin").await.expect(200).text(), "meow");
    }
    ada.delete("/users/ada/access_keys/client").await.expect(200);
    let deleted = Instant::now();
    for client in &clients {
        while client.download("/ada/vault/cat.bin").await.status != 401 {
            assert!(deleted.elapsed() < SOON, "the key still works");
        }
    }
}

/// Runs the blocks one after the other in one shell, like a reader who knows only the balancer's URL.
async fn try_out(document: &str, blocks: &[Block], user: Option<&str>) {
    let (cluster, began) = (Cluster::start().await, Instant::now());
    let front = cluster.front();
    let mut shell = cluster.command(Path::new("bash"));
    shell.args(["-c", &documents::script(blocks)]).env("PATH", search_path()).stdin(Stdio::null());
    shell.env("BASE", &front.base).env("ADMIN_KEY", ADMIN_KEY).env("NO_PROXY", "127.0.0.1");
    // Existing credentials of the user are neither read nor overwritten.
    shell.env("XDG_CONFIG_HOME", cluster.folder.path().join("config"));
    if let Some(user) = user {
        let user = front.user(user).await;
        let variables = [("URL", front.base.as_str()), ("USER", user.name()), ("API_KEY", user.key())];
        shell.envs(variables.map(|(name, value)| (format!("PACKHOUSE_{name}"), value.to_owned())));
    }
    let output = tokio::process::Command::from(shell).kill_on_drop(true).output();
    let output = tokio::time::timeout(PATIENCE, output).await.expect("the commands end").expect("bash starts");
    let printed = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    documents::check(document, blocks, &printed.join("\n"));
    println!("  {} commands of {document} in {:?}", blocks.len(), began.elapsed());
}

/// Returns a search path with the program under test first.
fn search_path() -> OsString {
    let folder = path().parent().expect("the program lies in a folder").to_owned();
    let inherited = env::var_os("PATH").unwrap_or_default();
    env::join_paths([folder].into_iter().chain(env::split_paths(&inherited))).expect("no folder has a colon")
}
