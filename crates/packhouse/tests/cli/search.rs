//! `packhouse search`.

use serde_json::json;

use crate::scene::Scene;

#[tokio::test]
async fn things_are_found_by_name() {
    let scene = Scene::with_cat().await;
    scene.ada.patch("/packages/ada/tools/cat").json(json!({"desc": "Purrs\nand more"})).await.expect(200);

    assert_eq!(scene.told(&["search", "ca"]).await, "ada/tools/cat  Purrs\nexit 0");
    assert_eq!(scene.told(&["search", "purr", "--desc"]).await, "ada/tools/cat  Purrs\nexit 0");
    assert_eq!(scene.told(&["search", "ool", "--for", "repos"]).await, "ada/tools\nexit 0");
    assert_eq!(scene.told(&["search", "ad", "--for", "users"]).await.lines().next(), Some("ada    ada"));
    assert_eq!(scene.told(&["search", "c*.txt", "--for", "files"]).await, "ada/tools/cat/1.0  cat.txt\nexit 0");
    assert_eq!(scene.told(&["search", "ca", "--owner", "bob"]).await, "no results\nexit 0");
    assert_eq!(scene.run(&["search", "x", "--for", "users", "--desc"]).await.code, Some(2));
}
