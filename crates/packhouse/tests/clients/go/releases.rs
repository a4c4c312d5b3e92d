//! Versions that come and go.

use super::fixture::{Gopher, LIB, PACKAGE, code};
use crate::{matrix::shows, scene::Scene};

#[tokio::test]
async fn a_yanked_version_is_not_chosen() {
    let _shown = shows("go", "yank");
    let scene = Scene::public("go").await;
    let gopher = Gopher::new(&scene.url());
    for version in ["v1.0.0", "v1.1.0"] {
        gopher.publish(&scene.url(), &scene.ada, LIB, version).await.succeeds();
    }
    scene.yank(PACKAGE, "v1.1.0").await;
    gopher.get(&format!("{LIB}@latest")).await.succeeds();
    assert_eq!(gopher.got().await, code("v1.0.0"));
    gopher.get(&format!("{LIB}@v1.1.0")).await.succeeds();
    assert_eq!(gopher.got().await, code("v1.1.0"), "modules may require a yanked version");
}

#[tokio::test]
async fn a_version_has_one_content_for_ever() {
    let scene = Scene::public("go").await;
    let (url, gopher) = (scene.url(), Gopher::new(&scene.url()));
    gopher.publish(&url, &scene.ada, LIB, "v1.0.0").await.succeeds();
    gopher.publish(&url, &scene.ada, LIB, "v1.0.0").await.succeeds();
    gopher.publish_text(&url, &scene.ada, LIB, "v1.0.0", "other").await.fails_with(&["409"]);
    scene.delete(PACKAGE, "v1.0.0").await;
    gopher.get(&format!("{LIB}@v1.0.0")).await.fails_with(&["404 Not Found"]);
    gopher.publish_text(&url, &scene.ada, LIB, "v1.0.0", "other").await.fails_with(&["never reused"]);
    gopher.publish(&url, &scene.ada, "example.com/acme/lib", "v1.0.0").await.fails_with(&["already exists"]);
}

#[tokio::test]
async fn a_staged_release_is_invisible_until_it_is_published() {
    let _shown = shows("go", "staged");
    let scene = Scene::public("go").await;
    scene.stage().await;
    let gopher = Gopher::new(&scene.url());
    gopher.publish(&scene.url(), &scene.ada, LIB, "v1.0.0").await.succeeds();
    gopher.get(&format!("{LIB}@latest")).await.fails_with(&["404 Not Found"]);
    scene.publish(PACKAGE, "v1.0.0").await;
    gopher.get(&format!("{LIB}@latest")).await.succeeds();
    assert_eq!(gopher.got().await, code("v1.0.0"));
}

#[tokio::test]
async fn two_publishers_at_once_lose_nothing() {
    let _shown = shows("go", "counted");
    let scene = Scene::public("go").await;
    let [first, second] = [(); 2].map(|()| Gopher::new(&scene.url()));
    let url = scene.url();
    let both =
        tokio::join!(first.publish(&url, &scene.ada, LIB, "v1.0.0"), second.publish(&url, &scene.ada, LIB, "v1.1.0"));
    both.0.succeeds();
    both.1.succeeds();
    for (reader, version) in [(&first, "v1.0.0"), (&second, "v1.1.0")] {
        reader.get(&format!("{LIB}@{version}")).await.succeeds();
        assert_eq!(reader.got().await, code(version));
    }
    scene.counts(PACKAGE, 2).await;
}
