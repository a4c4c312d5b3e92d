//! Changed bytes, which clients must notice.

use super::fixture::{Images, layer_digest};
use crate::scene::Scene;

#[tokio::test]
async fn a_changed_byte_in_the_store_is_noticed() {
    let scene = Scene::public("docker").await;
    let own = Images::new(&scene, &scene.ada);
    own.write("hello");
    own.copy_to("app:v1").await.succeeds();
    scene.damage(&format!("app/blobs/sha256:{}", layer_digest("hello"))).await;
    let anyone = Images::new(&scene, &scene.server.anyone());
    for program in ["podman", "buildah"] {
        let refused = anyone.pull(program, "app:v1").await;
        refused.fails_with(&["does not match", "mismatch", "503", "digest verification", "archive/tar", "EOF"]);
    }
}
