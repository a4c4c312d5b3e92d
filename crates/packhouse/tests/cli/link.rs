//! `packhouse link`.

use serde_json::json;

use crate::scene::Scene;

#[tokio::test]
async fn packages_are_linked_and_unlinked() {
    let scene = Scene::with_cat().await;
    scene.ada.post("/repos/ada/all").json(json!({})).await.expect(201);

    let linked = scene.told(&["link", "add", "ada/tools/cat", "ada/all"]).await;
    assert_eq!(linked, "linked ada/tools/cat into ada/all\nexit 0");
    assert_eq!(scene.told(&["ls", "ada/all"]).await, "cat  linked\nexit 0");
    assert_eq!(scene.run(&["link", "add", "ada/tools/cat", "ada/all"]).await.code, Some(6));

    let unlinked = scene.told(&["link", "rm", "ada/tools/cat", "ada/all", "--yes"]).await;
    assert_eq!(unlinked, "unlinked ada/tools/cat from ada/all\nexit 0");
    assert_eq!(scene.told(&["ls", "ada/all"]).await, "no results\nexit 0");
}
