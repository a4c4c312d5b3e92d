//! Changed bytes, which Vagrant must notice.

use super::fixture::{Boxes, UBUNTU};
use crate::scene::Scene;

#[tokio::test]
async fn a_changed_byte_in_the_store_is_noticed() {
    let scene = Scene::public("vagrant").await;
    let boxes = Boxes::new(&scene, &scene.server.anyone());
    boxes.publish(&scene, &scene.ada, "ubuntu", "1.0.0").await.succeeds();
    scene.damage("ubuntu/1.0.0/libvirt/amd64.box").await;
    boxes.add(UBUNTU).await.fails_with(&["checksum of the downloaded box did not match", "503"]);
    assert!(!boxes.added().await.contains("repo/ubuntu"));
}
