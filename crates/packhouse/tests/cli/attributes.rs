//! `packhouse attributes`.

use crate::scene::Scene;

#[tokio::test]
async fn attributes_are_set_shown_found_and_deleted() {
    let scene = Scene::with_cat().await;
    let version = "ada/tools/cat/1.0";

    let set = ["attributes", "set", version, "size=5", "os=[\"linux\",\"mac\"]", "abi:version=1.10"];
    assert_eq!(scene.told(&set).await, "set attributes of ada/tools/cat/1.0\nexit 0");
    insta::assert_snapshot!(scene.told(&["attributes", "get", version]).await, @"
    size  number   5
    os    string   linux, mac
    abi   version  1.10
    exit 0
    ");
    assert_eq!(scene.told(&["attributes", "get", version, "size"]).await, "size  number  5\nexit 0");
    let found = ["attributes", "search", "ada/tools/cat", "size=[1,5]", "os=linux"];
    assert_eq!(scene.told(&found).await, "1.0\nexit 0");
    assert_eq!(scene.told(&["attributes", "search", "ada/tools/cat", "size=]5,]"]).await, "no results\nexit 0");

    scene.run(&["attributes", "delete", version, "size", "--yes"]).await.succeeds();
    scene.run(&["attributes", "set", version, "only=true", "--replace"]).await.succeeds();
    assert_eq!(scene.told(&["attributes", "get", version]).await, "only  boolean  true\nexit 0");
}

#[tokio::test]
async fn values_of_two_kinds_are_refused() {
    let scene = Scene::with_cat().await;

    let mixed = scene.run(&["attributes", "set", "ada/tools/cat", "size=[1,\"two\"]"]).await;

    assert_eq!(mixed.code, Some(1), "{mixed:?}");
    assert!(mixed.stderr.starts_with("packhouse: the server answered 400: "), "{mixed:?}");
}
