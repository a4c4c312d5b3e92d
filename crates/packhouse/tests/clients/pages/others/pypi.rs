//! pip, uv, poetry and twine.

use crate::{client::folder, pages::follow, pypi::fixture::Python, scene::Scene};

/// A project without dependencies.
const PROJECT: &str = "[project]\nname = \"app\"\nversion = \"0.1\"\nrequires-python = \">=3.9\"\ndependencies = []\n";

#[tokio::test]
async fn the_page_of_pypi_can_be_followed() {
    let scene = Scene::acme().await;
    let python = Python::new();
    python.make("hello-pkg", "1.0").await;
    let Python { mut machine } = python;
    machine.rename("work/dist", "work/hello/dist");
    let programs = folder("PACKHOUSE_TEST_PYTHON");
    for name in ["pip", "uv", "poetry", "twine"] {
        machine.install(name, &format!("exec {} \"$@\"", programs.join(name).display()));
    }
    machine.set("PIP_TARGET", machine.path("lib").display().to_string());
    machine.set("PIP_NO_CACHE_DIR", "1");
    machine.set("UV_PYTHON", programs.join("python").display().to_string());
    machine.set("POETRY_VIRTUALENVS_IN_PROJECT", "true");
    machine.write("work/app-of-uv/pyproject.toml", PROJECT);
    machine.write("work/app-of-poetry/pyproject.toml", format!("{PROJECT}[tool.poetry]\npackage-mode = false\n"));
    follow(&scene, &mut machine, "docs/clients/pypi.md").await;
}
