//! Changed bytes, which Conan must notice.

use serde_json::Value;

use super::fixture::Conan;
use crate::scene::Scene;

/// The path of the only binary of a recipe.
async fn binary(scene: &Scene, recipe: &str) -> String {
    let ask = async |path: &str| -> Value {
        scene.ada.download(&format!("/ada/repo/v2/conans/{recipe}/{path}")).await.expect(200).json()
    };
    let text = |answer: Value| answer["revision"].as_str().expect("a revision").to_owned();
    let revision = text(ask("latest").await);
    let packages = ask(&format!("revisions/{revision}/search")).await;
    let id = packages.as_object().and_then(|packages| packages.keys().next()).expect("a package").clone();
    let package = text(ask(&format!("revisions/{revision}/packages/{id}/latest")).await);
    format!("{recipe}/{revision}/package/{id}/{package}/conan_package.tgz")
}

#[tokio::test]
async fn a_changed_byte_in_the_store_is_noticed() {
    let scene = Scene::public("conan").await;
    let publisher = Conan::new(&scene.url()).await;
    publisher.create("hello", "1.0", "first").await;
    publisher.login(&scene.ada).await.succeeds();
    publisher.upload("hello/1.0").await.succeeds();
    scene.damage(&binary(&scene, "hello/1.0/_/_").await).await;
    let reader = Conan::new(&scene.url()).await;
    reader.install("hello/1.0").await.fails_with(&["extracting", "CRC", "503"]);
}
