//! Changed bytes, which Composer must notice.

use super::fixture::{HELLO, Php};
use crate::{scene::Scene, tampering::Tampering};

async fn published() -> Scene {
    let scene = Scene::public("composer").await;
    Php::new(&scene.url(), &scene.ada).publish(&scene.ada, HELLO, "1.0.0").await.succeeds();
    scene
}

#[tokio::test]
async fn a_changed_byte_in_the_store_is_noticed() {
    let scene = published().await;
    scene.damage("dist/acme/hello/1.0.0.zip").await;
    let reader = Php::new(&scene.url(), &scene.server.anyone());
    reader.require(HELLO).await.fails_with(&["checksum verification of the file failed", "503"]);
    assert!(!reader.has_installed());
}

#[tokio::test]
async fn a_changed_checksum_on_the_wire_is_noticed() {
    let scene = published().await;
    let relay = Tampering::start(&scene.server.base, "\"shasum\":\"").await;
    // The documents name the server itself, so they come through the relay and the zip does not.
    let root = scene.ada.download("/ada/repo/packages.json").await.expect(200).text();
    let reader = Php::new(&scene.url(), &scene.server.anyone());
    reader.machine.write("work/packages.json", root.replace(&scene.server.base, &relay.base));
    let folder = format!("file://{}", reader.machine.path("work").display());
    let project = serde_json::json!({
        "repositories": [{ "type": "composer", "url": folder }, { "packagist": false }],
        "config": { "secure-http": false },
    });
    reader.machine.write("work/composer.json", project.to_string());
    reader.require(HELLO).await.fails_with(&["checksum verification of the file failed"]);
}
