//! Versions that come and go.

use super::fixture::Rust;
use crate::{matrix::shows, scene::Scene};

#[tokio::test]
async fn a_name_that_differs_by_a_dash_is_refused() {
    let scene = Scene::public("cargo").await;
    let rust = Rust::new(&scene.url(), &scene.ada);
    rust.library("hello-lib", "0.1.0", "");
    rust.publish("hello-lib").await.succeeds();
    rust.library("hello_lib", "0.2.0", "");
    rust.publish("hello_lib").await.fails_with(&["hello-lib"]);
    rust.library("Hello-Lib", "0.2.0", "");
    rust.publish("Hello-Lib").await.fails_with(&["differs from an existing one only by letter case"]);
}

#[tokio::test]
async fn a_deleted_version_never_comes_back() {
    let scene = Scene::public("cargo").await;
    let rust = Rust::new(&scene.url(), &scene.ada);
    for version in ["0.1.0", "0.1.1"] {
        rust.library("hello-lib", version, "");
        rust.publish("hello-lib").await.succeeds();
    }
    scene.delete("hello-lib", "0.1.1").await;
    let reader = Rust::new(&scene.url(), &scene.server.anyone());
    reader.program("hello-lib", "0.1");
    assert_eq!(reader.build().await.succeeds(), "hello-lib 0.1.0\n");
    rust.publish("hello-lib").await.fails_with(&["0.1.1"]);
}

#[tokio::test]
async fn a_staged_release_is_invisible_until_it_is_published() {
    let _shown = shows("cargo", "staged");
    let scene = Scene::public("cargo").await;
    scene.stage().await;
    let mut rust = Rust::new(&scene.url(), &scene.ada);
    // Cargo waits for the index, and then only warns.
    rust.machine.set("CARGO_PUBLISH_TIMEOUT", "1");
    rust.library("hello-lib", "0.1.0", "");
    rust.publish("hello-lib").await.succeeds();
    let reader = Rust::new(&scene.url(), &scene.server.anyone());
    reader.program("hello-lib", "0.1");
    reader.build().await.fails_with(&["no matching package"]);
    scene.publish("hello-lib", "0.1.0").await;
    assert_eq!(reader.build().await.succeeds(), "hello-lib 0.1.0\n");
}

#[tokio::test]
async fn two_publishers_at_once_lose_nothing() {
    let scene = Scene::public("cargo").await;
    let [first, second] = ["0.1.0", "0.1.1"].map(|version| {
        let rust = Rust::new(&scene.url(), &scene.ada);
        rust.library("hello-lib", version, "");
        rust
    });
    let both = tokio::join!(first.publish("hello-lib"), second.publish("hello-lib"));
    both.0.succeeds();
    both.1.succeeds();
    for version in ["0.1.0", "0.1.1"] {
        let reader = Rust::new(&scene.url(), &scene.server.anyone());
        reader.program("hello-lib", &format!("={version}"));
        assert_eq!(reader.build().await.succeeds(), format!("hello-lib {version}\n"));
    }
}
