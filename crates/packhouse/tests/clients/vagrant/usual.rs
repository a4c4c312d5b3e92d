//! What everyone does.

use super::fixture::{Boxes, UBUNTU};
use crate::{matrix::shows, scene::Scene};

#[tokio::test]
async fn vagrant_adds_what_curl_publishes() {
    let _shown = shows("vagrant", "publish, install");
    let scene = Scene::public("vagrant").await;
    let boxes = Boxes::new(&scene, &scene.server.anyone());
    boxes.publish(&scene, &scene.ada, "ubuntu", "1.0.0").await.succeeds();
    boxes.publish(&scene, &scene.server.anyone(), "ubuntu", "1.1.0").await.fails_with(&["401"]);
    boxes.publish(&scene, &scene.ada, "ubuntu", "latest").await.fails_with(&["version 'latest' is not valid"]);
    boxes.add(UBUNTU).await.succeeds();
    assert!(boxes.added().await.contains("repo/ubuntu (libvirt, 1.0.0)"));
    boxes.add("repo/unknown").await.fails_with(&["could not be found", "404"]);
}

#[tokio::test]
async fn a_private_box_needs_a_token() {
    let _shown = shows("vagrant", "private");
    let scene = Scene::private("vagrant").await;
    let reader = Boxes::new(&scene, &scene.ada);
    reader.publish(&scene, &scene.ada, "ubuntu", "1.0.0").await.succeeds();
    let stranger = Boxes::new(&scene, &scene.server.anyone());
    stranger.add(UBUNTU).await.fails_with(&["could not be found", "401"]);
    reader.add(UBUNTU).await.succeeds();
    assert!(reader.added().await.contains("repo/ubuntu (libvirt, 1.0.0)"));
}
