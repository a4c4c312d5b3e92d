//! What everyone does.

use super::fixture::Conan;
use crate::{matrix::shows, scene::Scene};

#[tokio::test]
async fn conan_publishes_and_installs() {
    let _shown = shows("conan", "publish, install");
    let scene = Scene::public("conan").await;
    let publisher = Conan::new(&scene.url()).await;
    publisher.create("hello", "1.0", "first").await;
    publisher.upload("hello/1.0").await.fails_with(&["401", "login", "Conan interactive mode disabled"]);
    publisher.login(&scene.ada).await.succeeds();
    publisher.upload("hello/1.0").await.succeeds();
    publisher.upload("hello/1.0").await.succeeds();

    let reader = Conan::new(&scene.url()).await;
    reader.install("hello/1.0").await.succeeds();
    assert_eq!(reader.got("hello", "1.0"), "first");
    let found = reader.run(&["search", "hel*", "-r", "acme"]).await.succeeds();
    assert!(found.contains("hello/1.0"), "{found}");
    reader.install("unknown/1.0").await.fails_with(&["Unable to find 'unknown/1.0'"]);
}

#[tokio::test]
async fn a_private_recipe_needs_a_key() {
    let _shown = shows("conan", "private");
    let scene = Scene::private("conan").await;
    let publisher = Conan::new(&scene.url()).await;
    publisher.create("hello", "1.0", "secret").await;
    publisher.login(&scene.server.person("ada", "wrong")).await.fails_with(&["Wrong user or password", "401"]);
    publisher.login(&scene.ada).await.succeeds();
    publisher.upload("hello/1.0").await.succeeds();

    let reader = Conan::new(&scene.url()).await;
    reader.install("hello/1.0").await.fails_with(&["Unable to", "login", "interactive"]);
    reader.login(&scene.ada).await.succeeds();
    reader.install("hello/1.0").await.succeeds();
    assert_eq!(reader.got("hello", "1.0"), "secret");
}
