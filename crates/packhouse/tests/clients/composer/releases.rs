//! Versions that come and go.

use serde_json::json;

use super::fixture::{HELLO, Php, code};
use crate::{matrix::shows, scene::Scene};

#[tokio::test]
async fn a_yanked_version_is_not_chosen() {
    let _shown = shows("composer", "yank");
    let scene = Scene::public("composer").await;
    let old = Php::new(&scene.url(), &scene.server.anyone());
    for version in ["1.0.0", "1.1.0"] {
        old.publish(&scene.ada, HELLO, version).await.succeeds();
    }
    old.require(HELLO).await.succeeds();
    assert_eq!(old.installed(), code("1.1.0"));
    scene.yank("acme:hello", "1.1.0").await;
    let new = Php::new(&scene.url(), &scene.server.anyone());
    new.require(HELLO).await.succeeds();
    assert_eq!(new.installed(), code("1.0.0"));
    std::fs::remove_dir_all(old.machine.path("work/vendor")).expect("a folder");
    old.composer(&["install"]).await.succeeds();
    assert_eq!(old.installed(), code("1.1.0"), "a lock file may name a yanked version");
}

#[tokio::test]
async fn a_deleted_release_comes_back_with_the_same_content_only() {
    let scene = Scene::public("composer").await;
    let php = Php::new(&scene.url(), &scene.server.anyone());
    for version in ["1.0.0", "1.1.0"] {
        php.publish(&scene.ada, HELLO, version).await.succeeds();
    }
    scene.delete("acme:hello", "1.1.0").await;
    php.require("acme/hello:1.1.0").await.fails_with(&["acme/hello[1.0.0]", "Could not find"]);
    php.publish_text(&scene.ada, HELLO, "1.1.0", "other").await.fails_with(&["never"]);
    php.publish(&scene.ada, HELLO, "v1.1").await.fails_with(&["never"]);
    php.require(HELLO).await.succeeds();
    assert_eq!(php.installed(), code("1.0.0"));
}

#[tokio::test]
async fn an_abandoned_package_is_shown() {
    let scene = Scene::public("composer").await;
    let php = Php::new(&scene.url(), &scene.server.anyone());
    php.publish(&scene.ada, HELLO, "1.0.0").await.succeeds();
    let version = "/packages/ada/repo/acme:hello/versions/1.0.0";
    scene.ada.patch(version).json(json!({ "deprecated": "acme/new" })).await.expect(200);
    let told = php.require(HELLO).await.succeeds();
    assert!(told.contains("abandoned") && told.contains("acme/new"), "{told}");
    let shown = php.composer(&["show", "-a", HELLO]).await.succeeds();
    assert!(shown.contains("1.0.0"), "{shown}");
    let found = php.composer(&["search", "hello"]).await.succeeds();
    assert!(found.contains("acme/hello") && found.contains("says hello"), "{found}");
}

#[tokio::test]
async fn a_branch_is_replaced() {
    let scene = Scene::public("composer").await;
    let php = Php::new(&scene.url(), &scene.server.anyone());
    php.publish_text(&scene.ada, HELLO, "dev-feature/x", "first").await.succeeds();
    php.publish_text(&scene.ada, HELLO, "dev-feature/x", "second").await.succeeds();
    php.require("acme/hello:dev-feature/x").await.succeeds();
    assert_eq!(php.installed(), code("second"));
}

#[tokio::test]
async fn a_staged_release_is_invisible_until_it_is_published() {
    let _shown = shows("composer", "staged");
    let scene = Scene::public("composer").await;
    scene.stage().await;
    let php = Php::new(&scene.url(), &scene.server.anyone());
    php.publish(&scene.ada, HELLO, "1.0.0").await.succeeds();
    php.require(HELLO).await.fails_with(&["Could not find"]);
    scene.publish("acme:hello", "1.0.0").await;
    php.require(HELLO).await.succeeds();
    assert_eq!(php.installed(), code("1.0.0"));
}

#[tokio::test]
async fn two_publishers_at_once_lose_nothing() {
    let _shown = shows("composer", "counted");
    let scene = Scene::public("composer").await;
    let [first, second] = [(); 2].map(|()| Php::new(&scene.url(), &scene.server.anyone()));
    let both = tokio::join!(first.publish(&scene.ada, HELLO, "1.0.0"), second.publish(&scene.ada, HELLO, "1.1.0"));
    both.0.succeeds();
    both.1.succeeds();
    for (reader, version) in [(&first, "1.0.0"), (&second, "1.1.0")] {
        reader.require(&format!("{HELLO}:{version}")).await.succeeds();
        assert_eq!(reader.installed(), code(version));
    }
    scene.counts("acme:hello", 2).await;
}
