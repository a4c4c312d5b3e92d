//! What everyone does.

use super::fixture::Rust;
use crate::{matrix::shows, scene::Scene};

#[tokio::test]
async fn cargo_publishes_and_builds() {
    let _shown = shows("cargo", "publish, install");
    let scene = Scene::public("cargo").await;
    let publisher = Rust::new(&scene.url(), &scene.ada);
    publisher.library("hello-lib", "0.1.0", "");
    publisher.publish("hello-lib").await.succeeds();
    publisher.publish("hello-lib").await.fails_with(&["already uploaded", "already exists"]);

    let reader = Rust::new(&scene.url(), &scene.server.anyone());
    reader.program("hello-lib", "0.1");
    assert_eq!(reader.build().await.succeeds(), "hello-lib 0.1.0\n");
}

#[tokio::test]
async fn a_private_crate_needs_a_token() {
    let _shown = shows("cargo", "private");
    let scene = Scene::private("cargo").await;
    let publisher = Rust::with_name(&scene.url(), &scene.ada);
    publisher.library("hello-lib", "0.1.0", "");
    publisher.publish("hello-lib").await.succeeds();

    let stranger = Rust::new(&scene.url(), &scene.server.anyone());
    stranger.program("hello-lib", "0.1");
    stranger.build().await.fails_with(&["no token found", "401", "authenticate"]);
    let reader = Rust::new(&scene.url(), &scene.ada);
    reader.program("hello-lib", "0.1");
    assert_eq!(reader.build().await.succeeds(), "hello-lib 0.1.0\n");
}
