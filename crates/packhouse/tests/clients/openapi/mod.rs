//! Clients that are generated from the description of the API, in Python and in TypeScript.

use std::fs;

use crate::{
    client::{Machine, folder},
    scene::Scene,
};

const PYTHON: &str = include_str!("publish.py");
const TYPESCRIPT: &str = include_str!("publish.ts");

/// A server with the user Ada, and a machine with the description of the API.
async fn scene() -> (Scene, Machine) {
    let scene = Scene::public("generic").await;
    let machine = Machine::new();
    machine.write("work/openapi.json", scene.server.anyone().get("/openapi.json").await.expect(200).text());
    (scene, machine)
}

#[tokio::test]
async fn a_generated_python_client_uploads_publishes_and_downloads() {
    let (scene, machine) = scene().await;
    let programs = folder("PACKHOUSE_TEST_OPENAPI_PYTHON");
    machine.write("work/config.yaml", "project_name_override: packhouse-client\npost_hooks: []\n");
    let generate =
        ["generate", "--path", "openapi.json", "--config", "config.yaml", "--meta", "none", "--fail-on-warning"];

    let said = machine.run(programs.join("openapi-python-client"), "work", &generate).await.succeeds();

    assert!(machine.has("work/packhouse_client"), "{said}");
    machine.write("work/publish.py", PYTHON);
    let ran = machine
        .run(programs.join("python"), "work", &["publish.py", &scene.server.base, scene.ada.key()])
        .await
        .succeeds();
    assert_eq!(ran.trim(), "done");
}

#[tokio::test]
async fn a_client_with_generated_types_uploads_publishes_and_downloads() {
    let (scene, machine) = scene().await;
    let modules = folder("PACKHOUSE_TEST_OPENAPI_NPM");
    machine.write("work/package.json", r#"{"type": "module"}"#);
    machine.write("work/publish.ts", TYPESCRIPT);
    std::os::unix::fs::symlink(&modules, machine.path("work/node_modules")).expect("a link");
    let run =
        async |tool: &str, arguments: &[&str]| machine.run(modules.join(".bin").join(tool), "work", arguments).await;

    run("openapi-typescript", &["openapi.json", "--output", "schema.d.ts"]).await.succeeds();
    let compile = ["--strict", "--module", "nodenext", "--target", "es2022", "--skipLibCheck", "publish.ts"];
    run("tsc", &compile).await.succeeds();

    assert!(fs::metadata(machine.path("work/publish.js")).is_ok());
    let ran = machine.run("node", "work", &["publish.js", &scene.server.base, scene.ada.key()]).await.succeeds();
    assert_eq!(ran.trim(), "done");
}
