//! Changed bytes, which installers must notice.

use super::fixture::{Python, wheel};
use crate::{scene::Scene, tampering::Tampering};

const WHEEL: &str = "packages/hello-pkg/1.0/hello_pkg-1.0-py3-none-any.whl";

async fn published() -> Scene {
    let (scene, python) = (Scene::public("pypi").await, Python::new());
    python.make("hello-pkg", "1.0").await;
    python.twine(&scene.url(), &scene.ada, &[&wheel("1.0")]).await.succeeds();
    scene
}

#[tokio::test]
async fn a_changed_byte_in_the_store_is_noticed() {
    let scene = published().await;
    scene.damage(WHEEL).await;
    let reader = Python::new();
    reader.pip(&scene.url(), "hello-pkg").await.fails_with(&["DO NOT MATCH THE HASHES", "ERROR"]);
    assert!(!reader.got("1.0"));
}

#[tokio::test]
async fn a_changed_digest_on_the_wire_is_noticed() {
    let scene = published().await;
    let relay = Tampering::start(&scene.server.base, "\"hashes\":{\"sha256\":\"").await;
    let reader = Python::new();
    let url = format!("{}/dl/ada/repo", relay.base);
    reader.pip(&url, "hello-pkg").await.fails_with(&["DO NOT MATCH THE HASHES"]);
    assert!(!reader.got("1.0"));
}

#[tokio::test]
async fn changed_metadata_on_the_wire_is_noticed() {
    let scene = published().await;
    let relay = Tampering::start(&scene.server.base, "Metadata-Version: ").await;
    let url = format!("{}/dl/ada/repo", relay.base);
    Python::new().pip(&url, "hello-pkg").await.fails_with(&["DO NOT MATCH THE HASHES", "ERROR"]);
}
