//! Keys for parts of a repository.

use super::fixture::{Boxes, UBUNTU};
use crate::{matrix::shows, scene::Scene};

#[tokio::test]
async fn a_key_for_one_box_reads_no_other() {
    let _shown = shows("vagrant", "key holder");
    let scene = Scene::private("vagrant").await;
    let boxes = Boxes::new(&scene, &scene.ada);
    for name in ["ubuntu", "other"] {
        boxes.publish(&scene, &scene.ada, name, "1.0.0").await.succeeds();
    }
    let client = scene.key_for("ubuntu").await;
    let reader = Boxes::new(&scene, &client);
    reader.add(UBUNTU).await.succeeds();
    reader.add("repo/other").await.fails_with(&["could not be found", "404"]);
    assert!(!reader.added().await.contains("repo/other"));
    reader.publish(&scene, &client, "ubuntu", "2.0.0").await.fails_with(&["403", "404"]);
    client.download("/ada/repo/other").await.expect(404);
}

#[tokio::test]
async fn a_token_in_the_url_is_enough() {
    let scene = Scene::private("vagrant").await;
    let mut reader = Boxes::new(&scene, &scene.ada);
    reader.machine.set("VAGRANT_SERVER_ACCESS_TOKEN_BY_URL", "1");
    reader.publish(&scene, &scene.ada, "ubuntu", "1.0.0").await.succeeds();
    reader.add(UBUNTU).await.succeeds();
    assert!(!scene.server.log().contains("access_token"), "{}", scene.server.log());
}
