//! `packhouse can-i`: checks rights in advance.

use serde_json::json;
use suite::{Ended, Person};

use crate::scene::Scene;

#[tokio::test]
async fn rights_are_told_by_exit_code() {
    let scene = Scene::with_cat().await;
    let eve = scene.server.user("eve").await;

    for what in ["read", "publish", "own"] {
        for place in ["ada/tools", "ada/tools/cat", "ada/tools/cat/1.0"] {
            assert_eq!(scene.told(&["can-i", what, place]).await, "yes\nexit 0", "{what} {place}");
            let expected = if what == "read" { Some(0) } else { Some(4) };
            assert_eq!(ask(&scene, &eve, what, place).await.code, expected, "{what} {place}");
        }
    }
    let no = ask(&scene, &eve, "publish", "ada/tools").await;
    insta::assert_snapshot!(scene.transcript(&no), @"
    no
    packhouse: you may not publish ada/tools
    exit 4
    ");
    // Asking has created nothing.
    let packages = scene.ada.get("/repos/ada/tools/packages").await.expect(200).json();
    assert_eq!(packages, json!([{"name": "cat", "linked": false}]));
}

#[tokio::test]
async fn hidden_and_missing_are_the_same_no() {
    let scene = Scene::with_cat().await;
    let eve = scene.server.user("eve").await;
    scene.ada.patch("/repos/ada/tools").json(json!({"private": true})).await.expect(200);

    let hidden = ask(&scene, &eve, "read", "ada/tools").await;
    let missing = ask(&scene, &eve, "read", "ada/other").await;

    assert_eq!(scene.transcript(&hidden).replace("tools", "other"), scene.transcript(&missing));
}

async fn ask(scene: &Scene, who: &Person, what: &str, place: &str) -> Ended {
    Ended::run(scene.command_as(who, &["can-i", what, place])).await
}
