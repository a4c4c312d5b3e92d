//! What everyone does.

use super::fixture::{Python, wheel};
use crate::{matrix::shows, scene::Scene};

#[tokio::test]
async fn twine_publishes_and_pip_installs() {
    let _shown = [shows("twine", "publish"), shows("pip", "install")];
    let scene = Scene::public("pypi").await;
    let publisher = Python::new();
    publisher.make("hello-pkg", "1.0").await;
    let files = [wheel("1.0"), "dist/hello_pkg-1.0.tar.gz".to_owned()];
    let files = [files[0].as_str(), files[1].as_str()];
    publisher.twine(&scene.url(), &scene.ada, &files).await.succeeds();
    publisher.twine(&scene.url(), &scene.ada, &files).await.succeeds();

    let reader = Python::new();
    let index = format!("{}/simple/", scene.url());
    let install = ["install", "--no-cache-dir", "--target", "lib", "--index-url", &index, "Hello.Pkg"];
    reader.run("pip", &install).await.succeeds();
    assert_eq!(reader.machine.read("work/lib/hello_pkg.py"), "TEXT = '1.0'\n");
    reader.pip(&scene.url(), "unknown-pkg").await.fails_with(&["No matching distribution"]);
}

#[tokio::test]
async fn a_private_project_needs_a_key() {
    let _shown = [shows("twine", "private"), shows("pip", "private")];
    let scene = Scene::private("pypi").await;
    let publisher = Python::new();
    publisher.make("hello-pkg", "1.0").await;
    let stranger = scene.server.person("ada", "wrong");
    publisher.twine(&scene.url(), &stranger, &[&wheel("1.0")]).await.fails_with(&["401", "403"]);
    publisher.twine(&scene.url(), &scene.ada, &[&wheel("1.0")]).await.succeeds();

    let reader = Python::new();
    reader.pip(&scene.url(), "hello-pkg").await.fails_with(&["401", "No matching distribution"]);
    assert!(!reader.got("1.0"));
    reader.pip(&scene.url_with(&scene.ada), "hello-pkg").await.succeeds();
    assert!(reader.got("1.0"));
}
