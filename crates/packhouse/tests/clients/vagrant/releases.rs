//! Versions that come and go.

use super::fixture::{Boxes, UBUNTU};
use crate::{matrix::shows, scene::Scene};

#[tokio::test]
async fn a_yanked_version_is_not_chosen() {
    let _shown = shows("vagrant", "yank");
    let scene = Scene::public("vagrant").await;
    let boxes = Boxes::new(&scene, &scene.server.anyone());
    for version in ["1.0.0", "1.1.0"] {
        boxes.publish(&scene, &scene.ada, "ubuntu", version).await.succeeds();
    }
    scene.yank("ubuntu", "1.1.0").await;
    boxes.add(UBUNTU).await.succeeds();
    let added = boxes.added().await;
    assert!(added.contains("1.0.0") && !added.contains("1.1.0"), "{added}");
}

#[tokio::test]
async fn a_newer_version_is_found_at_the_remembered_address() {
    let scene = Scene::public("vagrant").await;
    let boxes = Boxes::new(&scene, &scene.server.anyone());
    boxes.publish(&scene, &scene.ada, "ubuntu", "1.0.0").await.succeeds();
    boxes.add(&format!("{}/ubuntu", scene.url())).await.succeeds();
    boxes.publish(&scene, &scene.ada, "ubuntu", "1.10.0").await.succeeds();
    let outdated = boxes.vagrant(&["box", "outdated", "--global"]).await.succeeds();
    assert!(outdated.contains("1.10.0"), "{outdated}");
    boxes.vagrant(&["box", "update", "--box", UBUNTU]).await.succeeds();
    assert!(boxes.added().await.contains("1.10.0"));
    scene.delete("ubuntu", "1.10.0").await;
    scene.delete("ubuntu", "1.0.0").await;
    boxes.vagrant(&["box", "update", "--box", UBUNTU]).await.fails_with(&["404", "could not", "error"]);
}

#[tokio::test]
async fn the_cloud_command_publishes_releases_and_revokes() {
    let _shown = shows("vagrant", "publish, yank");
    let scene = Scene::private("vagrant").await;
    let own = Boxes::cloud(&scene, &scene.ada);
    let file = own.write("1.0.0");
    let publish = ["cloud", "publish", UBUNTU, "1.0.0", "libvirt", &file, "--force", "--short-description", "a box"];
    own.vagrant(&publish).await.succeeds();
    let reader = Boxes::new(&scene, &scene.ada);
    reader.add(UBUNTU).await.fails_with(&["could not be found", "404"]);
    own.vagrant(&["cloud", "version", "release", UBUNTU, "1.0.0", "--force"]).await.succeeds();
    reader.add(UBUNTU).await.succeeds();
    assert!(reader.added().await.contains("repo/ubuntu (libvirt, 1.0.0)"));

    let second = own.write("1.1.0");
    let publish = ["cloud", "publish", UBUNTU, "1.1.0", "libvirt", &second, "--force", "--release"];
    own.vagrant(&publish).await.succeeds();
    let found = own.vagrant(&["cloud", "search", "ubuntu", "--json"]).await.succeeds();
    assert!(found.contains("repo/ubuntu") && found.contains("1.1.0"), "{found}");
    own.vagrant(&["cloud", "version", "revoke", UBUNTU, "1.1.0", "--force"]).await.succeeds();
    let other = Boxes::new(&scene, &scene.ada);
    other.add(UBUNTU).await.succeeds();
    assert!(other.added().await.contains("1.0.0"));
    let stranger = Boxes::cloud(&scene, &scene.server.user("eve").await);
    let third = stranger.write("2.0.0");
    let publish = ["cloud", "publish", UBUNTU, "2.0.0", "libvirt", &third, "--force", "--release"];
    stranger.vagrant(&publish).await.fails_with(&["failed", "Failed", "not"]);
}

#[tokio::test]
async fn a_staged_release_is_invisible_until_it_is_published() {
    let _shown = shows("vagrant", "staged");
    let scene = Scene::public("vagrant").await;
    scene.stage().await;
    let boxes = Boxes::new(&scene, &scene.server.anyone());
    boxes.publish(&scene, &scene.ada, "ubuntu", "1.0.0").await.succeeds();
    boxes.add(UBUNTU).await.fails_with(&["could not be found", "404"]);
    scene.publish("ubuntu", "1.0.0").await;
    boxes.add(UBUNTU).await.succeeds();
}

#[tokio::test]
async fn two_publishers_at_once_lose_nothing() {
    let _shown = shows("vagrant", "counted");
    let scene = Scene::public("vagrant").await;
    let [first, second] = [(); 2].map(|()| Boxes::new(&scene, &scene.server.anyone()));
    let both = tokio::join!(
        first.publish(&scene, &scene.ada, "ubuntu", "1.0.0"),
        second.publish(&scene, &scene.ada, "ubuntu", "1.1.0")
    );
    both.0.succeeds();
    both.1.succeeds();
    for (reader, version) in [(&first, "1.0.0"), (&second, "1.1.0")] {
        let arguments = ["box", "add", "--provider", "libvirt", "--box-version", version, UBUNTU];
        reader.vagrant(&arguments).await.succeeds();
        assert!(reader.added().await.contains(version));
    }
    scene.counts("ubuntu", 2).await;
}
