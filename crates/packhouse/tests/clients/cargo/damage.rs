//! Changed bytes, which Cargo must notice.

use super::fixture::Rust;
use crate::{scene::Scene, tampering::Tampering};

async fn published() -> Scene {
    let scene = Scene::public("cargo").await;
    let rust = Rust::new(&scene.url(), &scene.ada);
    rust.library("hello-lib", "0.1.0", "");
    rust.publish("hello-lib").await.succeeds();
    scene
}

#[tokio::test]
async fn a_changed_byte_in_the_store_is_noticed() {
    let scene = published().await;
    scene.damage("crates/hello-lib/hello-lib-0.1.0.crate").await;
    let reader = Rust::new(&scene.url(), &scene.server.anyone());
    reader.program("hello-lib", "0.1");
    reader.build().await.fails_with(&["failed to verify the checksum", "failed to download", "failed to get"]);
}

#[tokio::test]
async fn a_changed_checksum_on_the_wire_is_noticed() {
    let scene = published().await;
    let relay = Tampering::start(&scene.server.base, "\"cksum\":\"").await;
    let reader = Rust::new(&format!("{}/dl/ada/repo", relay.base), &scene.server.anyone());
    reader.program("hello-lib", "0.1");
    reader.build().await.fails_with(&["failed to verify the checksum"]);
}
