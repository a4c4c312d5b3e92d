//! `packhouse tag`, and the marks of `packhouse version`.

use crate::scene::Scene;

#[tokio::test]
async fn tags_are_set_listed_and_deleted() {
    let scene = Scene::with_cat().await;

    let set = scene.told(&["tag", "set", "ada/tools/cat/1.0", "stable"]).await;
    assert_eq!(set, "pointed the tag stable to ada/tools/cat/1.0\nexit 0");
    assert_eq!(scene.told(&["tag", "ls", "ada/tools/cat"]).await, "stable  1.0\nexit 0");
    assert_eq!(scene.run(&["tag", "set", "ada/tools/cat/7.0", "stable"]).await.code, Some(5));

    let deleted = scene.told(&["tag", "rm", "ada/tools/cat", "stable"]).await;
    assert_eq!(deleted, "deleted the tag stable of ada/tools/cat\nexit 0");
    assert_eq!(scene.told(&["tag", "ls", "ada/tools/cat"]).await, "no results\nexit 0");
}

#[tokio::test]
async fn versions_are_yanked_and_deprecated_and_both_are_taken_back() {
    let scene = Scene::with_cat().await;
    let shown = async || scene.ada.get("/packages/ada/tools/cat/versions/1.0").await.expect(200).json();

    let yanked = scene.told(&["version", "yank", "ada/tools/cat/1.0", "--reason", "It bites"]).await;
    assert_eq!(yanked, "yanked the version ada/tools/cat/1.0\nexit 0");
    scene.run(&["version", "deprecate", "ada/tools/cat/1.0"]).await.succeeds();
    let version = shown().await;
    assert_eq!((&version["yanked"], &version["deprecated"]), (&"It bites".into(), &true.into()));

    scene.run(&["version", "unyank", "ada/tools/cat/1.0"]).await.succeeds();
    scene.run(&["version", "undeprecate", "ada/tools/cat/1.0"]).await.succeeds();
    let version = shown().await;
    assert!(version.get("yanked").is_none() && version.get("deprecated").is_none(), "{version}");
}
