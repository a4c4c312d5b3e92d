//! Keys for parts of a repository.

use super::fixture::Conan;
use crate::{matrix::shows, scene::Scene};

#[tokio::test]
async fn a_key_for_one_recipe_reads_no_other() {
    let _shown = shows("conan", "key holder");
    let scene = Scene::private("conan").await;
    let publisher = Conan::new(&scene.url()).await;
    publisher.login(&scene.ada).await.succeeds();
    for name in ["hello", "other"] {
        publisher.create(name, "1.0", name).await;
        publisher.upload(&format!("{name}/1.0")).await.succeeds();
    }
    let client = scene.key_for("hello").await;
    let reader = Conan::new(&scene.url()).await;
    reader.login(&client).await.succeeds();
    reader.install("hello/1.0").await.succeeds();
    assert_eq!(reader.got("hello", "1.0"), "hello");
    reader.install("other/1.0").await.fails_with(&["Unable to find 'other/1.0'", "Permission denied", "404", "403"]);
    let found = reader.run(&["search", "*", "-r", "acme"]).await.succeeds();
    assert!(found.contains("hello/1.0") && !found.contains("other/1.0"), "{found}");
}
