//! uv, poetry and the reader of the simple API.

use super::fixture::{Python, wheel};
use crate::{matrix::shows, scene::Scene};

#[tokio::test]
async fn uv_publishes_and_installs() {
    let _shown = shows("uv", "publish, install, private");
    let scene = Scene::private("pypi").await;
    let uv = Python::new();
    uv.make("hello-pkg", "1.0").await;
    let url = format!("{}/", scene.url());
    let (name, key) = (scene.ada.name(), scene.ada.key());
    let publish = ["publish", "--publish-url", &url, "--username", name, "--password", key, &wheel("1.0")];
    uv.run("uv", &publish).await.succeeds();
    let index = format!("{}/simple/", scene.url_with(&scene.ada));
    let install = ["pip", "install", "--no-cache", "--target", "lib", "--index-url", &index, "hello-pkg"];
    uv.run("uv", &install).await.succeeds();
    assert_eq!(uv.machine.read("work/lib/hello_pkg.py"), "TEXT = '1.0'\n");
    let index = format!("{}/simple/", scene.url());
    let install = ["pip", "install", "--no-cache", "--target", "none", "--index-url", &index, "hello-pkg"];
    Python::new().run("uv", &install).await.fails_with(&["401", "not found", "Unauthorized"]);
}

#[tokio::test]
async fn poetry_installs() {
    let _shown = shows("poetry", "install, private");
    let scene = Scene::private("pypi").await;
    let mut poetry = Python::new();
    poetry.make("hello-pkg", "1.0").await;
    poetry.twine(&scene.url(), &scene.ada, &[&wheel("1.0")]).await.succeeds();
    poetry.machine.set("POETRY_HTTP_BASIC_ACME_USERNAME", scene.ada.name());
    poetry.machine.set("POETRY_HTTP_BASIC_ACME_PASSWORD", scene.ada.key());
    poetry.machine.set("POETRY_VIRTUALENVS_IN_PROJECT", "true");
    poetry.machine.write(
        "work/pyproject.toml",
        format!(
            "[project]\nname = \"app\"\nversion = \"0.1\"\nrequires-python = \">=3.9\"\ndependencies = [\"hello-pkg\"]\n\
             [tool.poetry]\npackage-mode = false\n[[tool.poetry.source]]\nname = \"acme\"\nurl = \"{}/simple/\"\n\
             priority = \"primary\"\n",
            scene.url()
        ),
    );
    poetry.run("poetry", &["install", "--no-interaction", "--no-cache"]).await.succeeds();
    let text = poetry.machine.run("find", "work", &[".venv", "-name", "hello_pkg.py"]).await.succeeds();
    assert!(text.contains("hello_pkg.py"), "{text}");
}

#[tokio::test]
async fn pages_are_read_by_another_reader() {
    let scene = Scene::public("pypi").await;
    let python = Python::new();
    python.make("hello-pkg", "1.0").await;
    python.make("hello-pkg", "1.1").await;
    python
        .twine(&scene.url(), &scene.ada, &[&wheel("1.0"), &wheel("1.1"), "dist/hello_pkg-1.1.tar.gz"])
        .await
        .succeeds();
    let script = format!(
        "from pypi_simple import ACCEPT_HTML_ONLY, ACCEPT_JSON_ONLY, PyPISimple\n\
         for accept in [ACCEPT_JSON_ONLY, ACCEPT_HTML_ONLY]:\n\
         \x20   with PyPISimple('{}/simple/', accept=accept) as client:\n\
         \x20       print(list(client.get_index_page().projects))\n\
         \x20       page = client.get_project_page('Hello_Pkg')\n\
         \x20       print([(p.filename, p.requires_python, p.has_metadata, p.is_yanked) for p in page.packages])\n\
         \x20       print(client.get_package_metadata(page.packages[0]).splitlines()[1])\n",
        scene.url()
    );
    let page = python.run("python", &["-c", &script]).await.succeeds();
    let (json, html) = page.split_at(page.len() / 2);
    assert_eq!(json, html, "both forms say the same");
    assert!(json.contains("['hello-pkg']") && json.contains("Name: hello-pkg"), "{json}");
    let wheel = "('hello_pkg-1.0-py3-none-any.whl', '>=3.8', True, False)";
    assert!(json.contains(wheel) && json.contains("hello_pkg-1.1.tar.gz"), "{json}");
    let index = format!("{}/simple/", scene.url());
    let versions = python.run("pip", &["index", "versions", "--index-url", &index, "hello-pkg"]).await.succeeds();
    assert!(versions.contains("Available versions: 1.1, 1.0"), "{versions}");
}
