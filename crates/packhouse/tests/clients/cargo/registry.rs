//! Questions to the registry, and yanked versions.

use super::fixture::Rust;
use crate::{matrix::shows, scene::Scene};

#[tokio::test]
async fn a_yanked_version_is_not_chosen() {
    let _shown = shows("cargo", "yank");
    let scene = Scene::public("cargo").await;
    let rust = Rust::new(&scene.url(), &scene.ada);
    for version in ["0.1.0", "0.1.1"] {
        rust.library("hello-lib", version, "");
        rust.publish("hello-lib").await.succeeds();
    }
    let old = Rust::new(&scene.url(), &scene.server.anyone());
    old.program("hello-lib", "0.1");
    assert_eq!(old.build().await.succeeds(), "hello-lib 0.1.1\n");

    rust.run("hello-lib", &["yank", "--registry", "acme", "hello-lib@0.1.1"]).await.succeeds();
    let new = Rust::new(&scene.url(), &scene.server.anyone());
    new.program("hello-lib", "0.1");
    assert_eq!(new.build().await.succeeds(), "hello-lib 0.1.0\n");
    old.run("app", &["clean"]).await.succeeds();
    assert_eq!(old.build().await.succeeds(), "hello-lib 0.1.1\n", "a lock file may name a yanked version");

    rust.run("hello-lib", &["yank", "--registry", "acme", "hello-lib@0.1.1", "--undo"]).await.succeeds();
    let newest = Rust::new(&scene.url(), &scene.server.anyone());
    newest.program("hello-lib", "0.1");
    assert_eq!(newest.build().await.succeeds(), "hello-lib 0.1.1\n");
}

#[tokio::test]
async fn the_registry_answers_questions() {
    let scene = Scene::private("cargo").await;
    let rust = Rust::new(&scene.url(), &scene.ada);
    rust.library("Hello-Lib", "0.1.0", "");
    rust.publish("Hello-Lib").await.succeeds();
    let found = rust.run("work", &["search", "--registry", "acme", "hello"]).await.succeeds();
    assert!(found.contains("Hello-Lib = \"0.1.0\"") && found.contains("says hello"), "{found}");
    let info = rust.run("work", &["info", "--registry", "acme", "Hello-Lib"]).await.succeeds();
    assert!(info.contains("0.1.0"), "{info}");
    let owners = rust.run("work", &["owner", "--registry", "acme", "--list", "Hello-Lib"]).await.succeeds();
    assert!(owners.contains("ada"), "{owners}");
    let added = rust.run("work", &["owner", "--registry", "acme", "--add", "eve", "Hello-Lib"]).await;
    added.fails_with(&["owners are managed on the package's page"]);
    let stranger = Rust::new(&scene.url(), &scene.server.user("eve").await);
    let search = stranger.run("work", &["search", "--registry", "acme", "hello"]).await;
    search.fails_with(&["404", "403", "not found"]);
}

#[tokio::test]
async fn a_crate_depends_on_others() {
    let _shown = shows("cargo", "counted");
    let scene = Scene::public("cargo").await;
    let rust = Rust::new(&scene.url(), &scene.ada);
    rust.library("first-lib", "1.0.0", "");
    rust.publish("first-lib").await.succeeds();
    let dependencies = "[features]\nextra = [\"dep:optional\"]\n[dependencies]\n\
        renamed = { package = \"first-lib\", version = \"1\", registry = \"acme\" }\n\
        optional = { package = \"first-lib\", version = \"1\", registry = \"acme\", optional = true }\n";
    rust.library("second-lib", "1.0.0", dependencies);
    rust.machine.write("second-lib/src/lib.rs", "pub fn hello() -> &'static str {\n    renamed::hello()\n}\n");
    rust.publish("second-lib").await.succeeds();
    let reader = Rust::new(&scene.url(), &scene.server.anyone());
    reader.program("second-lib", "1");
    assert_eq!(reader.build().await.succeeds(), "first-lib 1.0.0\n");
    let index = scene.ada.download("/ada/repo/se/co/second-lib").await.expect(200).text();
    assert!(index.contains("\"registry\":null") && !index.contains(&scene.server.base), "{index}");
    scene.counts("first-lib", 1).await;
    scene.counts("second-lib", 1).await;
}
