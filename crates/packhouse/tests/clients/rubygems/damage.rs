//! Changed bytes, which Bundler must notice.

use super::fixture::Ruby;
use crate::{scene::Scene, tampering::Tampering};

async fn published() -> Scene {
    let scene = Scene::public("rubygems").await;
    let ruby = Ruby::new(&scene.ada);
    ruby.make("hello", "1.0.0", "").await;
    ruby.push(&scene.url(), "hello-1.0.0.gem").await.succeeds();
    scene
}

#[tokio::test]
async fn a_changed_byte_in_the_store_is_noticed() {
    let scene = published().await;
    scene.damage("gems/hello-1.0.0.gem").await;
    let reader = Ruby::new(&scene.server.anyone());
    reader.gemfile(&scene.url(), "gem 'hello'");
    let failures = ["checksum", "Checksum", "corrupt", "damaged", "Retrying", "Could not", "An error occurred"];
    reader.bundle().await.fails_with(&failures);
}

#[tokio::test]
async fn a_changed_checksum_on_the_wire_is_noticed() {
    let scene = published().await;
    let relay = Tampering::start(&scene.server.base, "|checksum:").await;
    let reader = Ruby::new(&scene.server.anyone());
    reader.gemfile(&format!("{}/dl/ada/repo", relay.base), "gem 'hello'");
    reader.bundle().await.fails_with(&["checksum", "Checksum", "did not match"]);
}
