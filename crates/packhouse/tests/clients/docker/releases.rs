//! Tags that move, wait and go.

use super::fixture::Images;
use crate::{matrix::shows, scene::Scene};

#[tokio::test]
async fn podman_sees_a_staged_tag_after_it_is_published() {
    let _shown = shows("podman", "staged");
    let scene = Scene::public("docker").await;
    scene.stage().await;
    let own = Images::new(&scene, &scene.ada);
    own.write("hello");
    own.push("podman", "app:v1").await.succeeds();
    let anyone = Images::new(&scene, &scene.server.anyone());
    anyone.pull("podman", "app:v1").await.fails_with(&["unknown", "no such"]);
    Images::new(&scene, &scene.ada).pull("podman", "app:v1").await.succeeds();
    scene.publish("app", "v1").await;
    anyone.pull("podman", "app:v1").await.succeeds();
}

#[tokio::test]
async fn podman_pulls_what_the_tag_has_now_and_the_old_image_by_its_digest() {
    let _shown = shows("podman", "counted");
    let scene = Scene::public("docker").await;
    let own = Images::new(&scene, &scene.ada);
    let old = own.write("old");
    own.copy_to("app:latest").await.succeeds();
    own.write("new");
    own.copy_to("app:latest").await.succeeds();
    let anyone = Images::new(&scene, &scene.server.anyone());
    anyone.pull("podman", "app:latest").await.succeeds();
    scene.counts("app", 1).await;
    let by_digest = Images::new(&scene, &scene.server.anyone());
    by_digest.pull("podman", &format!("app@{old}")).await.succeeds();
    scene.delete("app", "latest").await;
    Images::new(&scene, &scene.server.anyone()).pull("podman", "app:latest").await.fails_with(&["unknown", "no such"]);
}
