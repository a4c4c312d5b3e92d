//! `packhouse push` while the network fails, and while the user interrupts it.

use std::{process::Stdio, time::Duration};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use tokio::process::{Child, Command};

use crate::scene::{Scene, bytes};

/// The number of files of a push that is disturbed.
const FILES: usize = 60;

#[tokio::test]
async fn connections_that_break_are_tried_again() {
    let scene = Scene::start().await;
    fill(&scene);
    let mut relay = scene.relay();
    let through = format!("http://{}", relay.address);
    let push = start(&scene, &["--url", &through]);
    wait_for_the_first(&scene).await;

    relay.cut().await;
    relay.restore();

    let output = push.wait_with_output().await.expect("it ends");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains(&format!("published {FILES} files")), "{said}");
}

#[tokio::test]
async fn an_interrupted_push_leaves_nothing_half_published() {
    let scene = Scene::start().await;
    fill(&scene);
    let push = start(&scene, &[]);
    wait_for_the_first(&scene).await;

    let id = i32::try_from(push.id().expect("it runs")).expect("a small number");
    kill(Pid::from_raw(id), Signal::SIGINT).expect("it takes signals");

    let output = push.wait_with_output().await.expect("it ends");
    insta::assert_snapshot!(String::from_utf8_lossy(&output.stderr), @"
    packhouse: interrupted; the uploaded files are staged, and readers do not see them
    hint: push again to continue, or run `packhouse discard ada/tools/cat/1.0` to remove them
    ");
    assert_eq!(output.status.code(), Some(130));
    let published = scene.server.anyone().get("/packages/ada/tools/cat/versions/1.0/files").await;
    published.refuses(404, "Version '1.0' was not found");

    // The same command resumes where it was interrupted.
    let again = start(&scene, &[]).wait_with_output().await.expect("it ends");
    let said = String::from_utf8_lossy(&again.stdout).into_owned();
    assert!(said.contains("already there") && said.contains(&format!("published {FILES} files")), "{said}");
}

fn fill(scene: &Scene) {
    let content = bytes((1 << 20) + FILES);
    for number in 0..FILES {
        scene.file(&format!("dist/{number}.bin"), &content[number..]);
    }
}

fn start(scene: &Scene, more: &[&str]) -> Child {
    let push = ["push", "ada/tools/cat/1.0", "dist", "--create", "--publish", "--jobs", "1"];
    let mut command = Command::from(scene.command_as(&scene.ada, &[&push, more].concat()));
    command.kill_on_drop(true).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("it starts")
}

async fn wait_for_the_first(scene: &Scene) {
    let staged = "/packages/ada/tools/cat/versions/1.0/files?include_unpublished=1";
    loop {
        let answer = scene.ada.get(staged).await;
        if answer.status == 200 && answer.json().as_array().is_some_and(|files| !files.is_empty()) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}
