//! What everyone does.

use super::fixture::Images;
use crate::{matrix::shows, scene::Scene};

#[tokio::test]
async fn podman_pushes_and_anyone_pulls() {
    let _shown = shows("podman", "publish, install");
    pushes_and_pulls("podman").await;
}

#[tokio::test]
async fn buildah_pushes_and_anyone_pulls() {
    let _shown = shows("buildah", "publish, install");
    pushes_and_pulls("buildah").await;
}

async fn pushes_and_pulls(program: &str) {
    let scene = Scene::public("docker").await;
    let own = Images::new(&scene, &scene.ada);
    own.write("hello");
    own.push(program, "team/app:v1").await.succeeds();
    own.push(program, "team/app:v1").await.succeeds();
    let tags = scene.ada.get("//v2/ada/repo/team/app/tags/list").await.expect(200).json();
    assert_eq!(tags["tags"], serde_json::json!(["v1"]));
    let anyone = Images::new(&scene, &scene.server.anyone());
    anyone.pull(program, "team/app:v1").await.succeeds();
    assert!(anyone.stored(program).await.contains("ada/repo/team/app"));
    anyone.pull(program, "team/app:v2").await.fails_with(&["manifest unknown", "no such manifest"]);
    let eve = scene.server.user("eve").await;
    let stranger = Images::new(&scene, &eve);
    stranger.write("other");
    stranger.push(program, "team/app:v1").await.fails_with(&["denied", "access to the requested"]);
}

#[tokio::test]
async fn skopeo_copies_to_the_server_and_back() {
    let _shown = shows("skopeo", "publish, install");
    let scene = Scene::public("docker").await;
    let own = Images::new(&scene, &scene.ada);
    own.write("hello");
    own.copy_to("app:v1").await.succeeds();
    let anyone = Images::new(&scene, &scene.server.anyone());
    anyone.copy_from("app:v1", "pulled").await.succeeds();
    assert!(anyone.machine.read("work/pulled/manifest.json").contains("sha256:"));
    anyone.copy_from("app:v2", "missing").await.fails_with(&["manifest unknown", "no such manifest"]);
}
