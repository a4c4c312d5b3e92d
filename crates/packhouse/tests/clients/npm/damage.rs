//! Changed bytes, which npm must notice.

use super::fixture::{HELLO, Node};
use crate::{scene::Scene, tampering::Tampering};

async fn published() -> Scene {
    let scene = Scene::public("npm").await;
    Node::new(&scene.url(), &scene.ada).publish(HELLO, "1.0.0").await.succeeds();
    scene
}

#[tokio::test]
async fn a_changed_byte_in_the_store_is_noticed() {
    let scene = published().await;
    scene.damage("@ada/hello/-/hello-1.0.0.tgz").await;
    let reader = Node::new(&scene.url(), &scene.server.anyone());
    reader.install(HELLO).await.fails_with(&["EINTEGRITY", "E503"]);
    assert!(!reader.has_installed());
}

#[tokio::test]
async fn a_changed_digest_on_the_wire_is_noticed() {
    let scene = published().await;
    let relay = Tampering::start(&scene.server.base, "\"integrity\":\"sha512-").await;
    let reader = Node::new(&format!("{}/dl/ada/repo", relay.base), &scene.server.anyone());
    reader.install(HELLO).await.fails_with(&["EINTEGRITY"]);
    assert!(!reader.has_installed());
}
