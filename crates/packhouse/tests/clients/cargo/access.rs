//! Keys for parts of a repository.

use super::fixture::Rust;
use crate::{matrix::shows, scene::Scene};

#[tokio::test]
async fn a_key_for_one_crate_reads_no_other() {
    let _shown = shows("cargo", "key holder");
    let scene = Scene::private("cargo").await;
    let rust = Rust::new(&scene.url(), &scene.ada);
    for name in ["hello-lib", "other-lib"] {
        rust.library(name, "0.1.0", "");
        rust.publish(name).await.succeeds();
    }
    let client = scene.key_for("hello-lib").await;
    let reader = Rust::with_name(&scene.url(), &client);
    reader.program("hello-lib", "0.1");
    assert_eq!(reader.build().await.succeeds(), "hello-lib 0.1.0\n");
    let reader = Rust::with_name(&scene.url(), &client);
    reader.program("other-lib", "0.1");
    reader.build().await.fails_with(&["no matching package"]);
    reader.library("hello-lib", "0.2.0", "");
    reader.publish("hello-lib").await.fails_with(&["403", "404"]);
}

#[tokio::test]
async fn a_wrong_token_is_refused() {
    let scene = Scene::private("cargo").await;
    let rust = Rust::new(&scene.url(), &scene.server.person("ada", "wrong"));
    rust.library("hello-lib", "0.1.0", "");
    rust.publish("hello-lib").await.fails_with(&["401", "rejected"]);
}
