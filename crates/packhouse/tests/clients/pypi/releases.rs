//! Versions that come and go.

use super::fixture::{Python, wheel};
use crate::{matrix::shows, scene::Scene};

/// Publishes wheels of these versions in a public repository.
async fn published(versions: &[&str]) -> (Scene, Python) {
    let (scene, python) = (Scene::public("pypi").await, Python::new());
    for version in versions {
        python.make("hello-pkg", version).await;
        python.twine(&scene.url(), &scene.ada, &[&wheel(version)]).await.succeeds();
    }
    (scene, python)
}

#[tokio::test]
async fn the_newest_version_is_installed() {
    let _shown = shows("pip", "counted");
    let (scene, _) = published(&["1.9", "1.10", "2.0rc1"]).await;
    let reader = Python::new();
    reader.pip(&scene.url(), "hello-pkg").await.succeeds();
    assert!(reader.got("1.10"));
    reader.pip(&scene.url(), "hello-pkg<1.10").await.succeeds();
    assert!(reader.got("1.9"));
    scene.counts("hello-pkg", 2).await;
}

#[tokio::test]
async fn a_yanked_version_is_installed_only_by_its_name() {
    let _shown = shows("pip", "yank");
    let (scene, _) = published(&["1.0", "1.1"]).await;
    scene.yank("hello-pkg", "1.1").await;
    let reader = Python::new();
    reader.pip(&scene.url(), "hello-pkg").await.succeeds();
    assert!(reader.got("1.0") && !reader.got("1.1"));
    let warned = reader.pip(&scene.url(), "hello-pkg==1.1").await.succeeds();
    assert!(reader.got("1.1") && warned.contains("it is broken"), "{warned}");
}

#[tokio::test]
async fn a_version_for_another_python_is_not_installed() {
    let (scene, python) = published(&["1.0"]).await;
    python.make_with("hello-pkg", "2.0", ">=3.99", "x").await;
    python.twine(&scene.url(), &scene.ada, &[&wheel("2.0")]).await.succeeds();
    let reader = Python::new();
    reader.pip(&scene.url(), "hello-pkg").await.succeeds();
    assert!(reader.got("1.0") && !reader.got("2.0"));
}

#[tokio::test]
async fn a_file_name_never_gets_another_content() {
    let (scene, python) = published(&["1.0"]).await;
    python.make_with("hello-pkg", "1.0", ">=3.8", "other").await;
    let file = wheel("1.0");
    python.twine(&scene.url(), &scene.ada, &[&file]).await.fails_with(&["File already exists"]);
    scene.delete("hello-pkg", "1.0").await;
    Python::new().pip(&scene.url(), "hello-pkg").await.fails_with(&["No matching distribution"]);
    python.twine(&scene.url(), &scene.ada, &[&file]).await.fails_with(&["File already exists"]);
}

#[tokio::test]
async fn an_equal_version_is_refused_in_another_spelling() {
    let (scene, python) = published(&["1.0"]).await;
    python.make("hello-pkg", "1.0.0").await;
    python.twine(&scene.url(), &scene.ada, &[&wheel("1.0.0")]).await.fails_with(&["400"]);
}

#[tokio::test]
async fn a_staged_release_is_invisible_until_it_is_published() {
    let _shown = [shows("twine", "staged"), shows("pip", "staged")];
    let (scene, python) = (Scene::public("pypi").await, Python::new());
    scene.stage().await;
    python.make("hello-pkg", "1.0").await;
    python.twine(&scene.url(), &scene.ada, &[&wheel("1.0"), "dist/hello_pkg-1.0.tar.gz"]).await.succeeds();
    let reader = Python::new();
    reader.pip(&scene.url(), "hello-pkg").await.fails_with(&["No matching distribution"]);
    scene.publish("hello-pkg", "1.0").await;
    reader.pip(&scene.url(), "hello-pkg").await.succeeds();
    assert!(reader.got("1.0"));
}

#[tokio::test]
async fn two_publishers_at_once_lose_nothing() {
    let (scene, python) = (Scene::public("pypi").await, Python::new());
    let versions = ["1.0", "1.1", "1.2", "1.3"];
    for version in versions {
        python.make("hello-pkg", version).await;
    }
    let [first, second, third, fourth] = versions.map(wheel);
    let url = scene.url();
    let (left, right) = ([first.as_str(), &second], [third.as_str(), &fourth]);
    let both = tokio::join!(python.twine(&url, &scene.ada, &left), python.twine(&url, &scene.ada, &right));
    both.0.succeeds();
    both.1.succeeds();
    let index = format!("{url}/simple/");
    let listed = python.run("pip", &["index", "versions", "--index-url", &index, "hello-pkg"]).await.succeeds();
    assert!(listed.contains("Available versions: 1.3, 1.2, 1.1, 1.0"), "{listed}");
}
