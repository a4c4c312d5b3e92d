//! Keys for parts of a repository.

use super::fixture::{Python, wheel};
use crate::{matrix::shows, scene::Scene};

#[tokio::test]
async fn a_key_for_one_project_reads_no_other() {
    let _shown = shows("pip", "key holder");
    let (scene, python) = (Scene::private("pypi").await, Python::new());
    python.make("hello-pkg", "1.0").await;
    python.make("other-pkg", "1.0").await;
    let other = "dist/other_pkg-1.0-py3-none-any.whl";
    python.twine(&scene.url(), &scene.ada, &[&wheel("1.0"), other]).await.succeeds();
    let client = scene.key_for("hello-pkg").await;
    let reader = Python::new();
    reader.pip(&scene.url_with(&client), "hello-pkg").await.succeeds();
    assert!(reader.got("1.0"));
    reader.pip(&scene.url_with(&client), "other-pkg").await.fails_with(&["No matching distribution"]);
}

#[tokio::test]
async fn the_list_of_projects_shows_what_a_key_may_read() {
    let (scene, python) = (Scene::private("pypi").await, Python::new());
    python.make("hello-pkg", "1.0").await;
    python.make("other-pkg", "1.0").await;
    let other = "dist/other_pkg-1.0-py3-none-any.whl";
    python.twine(&scene.url(), &scene.ada, &[&wheel("1.0"), other]).await.succeeds();
    let client = scene.key_for("hello-pkg").await;
    let list = client.download("/ada/repo/simple/").await.expect(200).text();
    assert!(list.contains("hello-pkg") && !list.contains("other-pkg"), "{list}");
    let list = scene.ada.download("/ada/repo/simple/").await.expect(200).text();
    assert!(list.contains("hello-pkg") && list.contains("other-pkg"), "{list}");
    scene.server.anyone().download("/ada/repo/simple/").await.expect(401);
}
