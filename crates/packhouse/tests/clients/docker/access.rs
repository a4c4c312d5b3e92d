//! Private repositories, and keys for parts of them.

use super::fixture::Images;
use crate::{matrix::shows, scene::Scene};

#[tokio::test]
async fn podman_needs_a_key_for_private_images() {
    let _shown = shows("podman", "private, key holder");
    private_images("podman").await;
}

#[tokio::test]
async fn buildah_needs_a_key_for_private_images() {
    let _shown = shows("buildah", "private, key holder");
    private_images("buildah").await;
}

async fn private_images(program: &str) {
    let scene = Scene::private("docker").await;
    let own = Images::new(&scene, &scene.ada);
    own.write("hello");
    for image in ["app:v1", "other:v1"] {
        own.push(program, image).await.succeeds();
    }
    let client = Images::new(&scene, &scene.key_for("app").await);
    client.pull(program, "app:v1").await.succeeds();
    client.pull(program, "other:v1").await.fails_with(&["unknown", "no such"]);
    client.write("more");
    client.push(program, "app:v2").await.fails_with(&["unknown", "denied", "access to the requested"]);
    let wrong = scene.server.person("ada", "wrong");
    for who in [scene.server.anyone(), scene.server.user("eve").await, wrong] {
        let stranger = Images::new(&scene, &who);
        stranger.pull(program, "app:v1").await.fails_with(&["unauthorized", "unknown", "authentication required"]);
    }
}

#[tokio::test]
async fn skopeo_needs_a_key_for_private_images() {
    let _shown = shows("skopeo", "private, key holder");
    let scene = Scene::private("docker").await;
    let own = Images::new(&scene, &scene.ada);
    own.write("hello");
    for image in ["app:v1", "other:v1"] {
        own.copy_to(image).await.succeeds();
    }
    let client = Images::new(&scene, &scene.key_for("app").await);
    client.copy_from("app:v1", "pulled").await.succeeds();
    client.copy_from("other:v1", "refused").await.fails_with(&["unknown", "no such"]);
    let stranger = Images::new(&scene, &scene.server.anyone());
    stranger.copy_from("app:v1", "refused").await.fails_with(&["unauthorized", "authentication required"]);
}
