//! Tags that move, wait and go.

use super::fixture::Images;
use crate::{client::Ran, matrix::shows, scene::Scene};

/// Pulls an image with podman, buildah or skopeo on a machine that has none.
async fn pull(scene: &Scene, program: &str, image: &str) -> Ran {
    let anyone = Images::new(scene, &scene.server.anyone());
    match program {
        "skopeo" => anyone.copy_from(image, "pulled").await,
        _ => anyone.pull(program, image).await,
    }
}

#[tokio::test]
async fn podman_sees_a_staged_tag_after_it_is_published() {
    let _shown = shows("podman", "staged");
    staged_tags("podman").await;
}

#[tokio::test]
async fn buildah_sees_a_staged_tag_after_it_is_published() {
    let _shown = shows("buildah", "staged");
    staged_tags("buildah").await;
}

async fn staged_tags(program: &str) {
    let scene = Scene::public("docker").await;
    scene.stage().await;
    let own = Images::new(&scene, &scene.ada);
    own.write("hello");
    own.push(program, "app:v1").await.succeeds();
    pull(&scene, program, "app:v1").await.fails_with(&["unknown", "no such"]);
    Images::new(&scene, &scene.ada).pull(program, "app:v1").await.succeeds();
    scene.publish("app", "v1").await;
    pull(&scene, program, "app:v1").await.succeeds();
}

#[tokio::test]
async fn skopeo_sees_a_staged_tag_after_it_is_published() {
    let _shown = shows("skopeo", "staged");
    let scene = Scene::public("docker").await;
    scene.stage().await;
    let own = Images::new(&scene, &scene.ada);
    own.write("hello");
    own.copy_to("app:v1").await.succeeds();
    pull(&scene, "skopeo", "app:v1").await.fails_with(&["unknown", "no such"]);
    scene.publish("app", "v1").await;
    pull(&scene, "skopeo", "app:v1").await.succeeds();
}

#[tokio::test]
async fn podman_pulls_what_the_tag_has_now_and_the_old_image_by_its_digest() {
    let _shown = shows("podman", "counted, yank");
    moved_and_deleted_tags("podman").await;
}

#[tokio::test]
async fn buildah_pulls_what_the_tag_has_now_and_the_old_image_by_its_digest() {
    let _shown = shows("buildah", "counted, yank");
    moved_and_deleted_tags("buildah").await;
}

#[tokio::test]
async fn skopeo_pulls_what_the_tag_has_now_and_the_old_image_by_its_digest() {
    let _shown = shows("skopeo", "counted");
    moved_and_deleted_tags("skopeo").await;
}

async fn moved_and_deleted_tags(program: &str) {
    let scene = Scene::public("docker").await;
    let own = Images::new(&scene, &scene.ada);
    let old = own.write("old");
    own.copy_to("app:latest").await.succeeds();
    own.write("new");
    own.copy_to("app:latest").await.succeeds();
    pull(&scene, program, "app:latest").await.succeeds();
    scene.counts("app", 1).await;
    pull(&scene, program, &format!("app@{old}")).await.succeeds();
    scene.delete("app", "latest").await;
    pull(&scene, program, "app:latest").await.fails_with(&["unknown", "no such"]);
}

#[tokio::test]
async fn skopeo_deletes_an_image_with_all_its_tags() {
    let _shown = shows("skopeo", "yank");
    let scene = Scene::public("docker").await;
    let own = Images::new(&scene, &scene.ada);
    own.write("hello");
    for image in ["app:v1", "app:v2"] {
        own.copy_to(image).await.succeeds();
    }
    let stranger = Images::new(&scene, &scene.server.user("eve").await);
    stranger.delete("app:v1").await.fails_with(&["DENIED"]);
    own.delete("app:v1").await.succeeds();
    for image in ["app:v1", "app:v2"] {
        pull(&scene, "skopeo", image).await.fails_with(&["unknown", "no such"]);
    }
}
