//! Revisions that come and go.

use super::fixture::Conan;
use crate::{matrix::shows, scene::Scene};

async fn publisher(scene: &Scene) -> Conan {
    let publisher = Conan::new(&scene.url()).await;
    publisher.login(&scene.ada).await.succeeds();
    publisher
}

#[tokio::test]
async fn the_newest_revision_is_installed_and_counted_once() {
    let _shown = shows("conan", "counted");
    let scene = Scene::public("conan").await;
    let conan = publisher(&scene).await;
    for text in ["first", "second"] {
        conan.create("hello", "1.0", text).await;
        conan.upload("hello/1.0").await.succeeds();
    }
    let reader = Conan::new(&scene.url()).await;
    reader.install("hello/1.0").await.succeeds();
    assert_eq!(reader.got("hello", "1.0"), "second");
    let listed = reader.run(&["list", "hello/1.0#*:*#*", "-r", "acme"]).await.succeeds();
    assert_eq!(listed.matches("packages").count(), 2, "{listed}");
    assert!(listed.contains("os: Linux"), "{listed}");
    scene.counts("hello", 1).await;
}

#[tokio::test]
async fn ranges_are_resolved() {
    let scene = Scene::public("conan").await;
    let conan = publisher(&scene).await;
    for version in ["1.9", "1.10", "2.0"] {
        conan.create("hello", version, version).await;
        conan.upload(&format!("hello/{version}")).await.succeeds();
    }
    let reader = Conan::new(&scene.url()).await;
    reader.install("hello/[>=1 <2]").await.succeeds();
    assert_eq!(reader.got("hello", "1.10"), "1.10");
}

#[tokio::test]
async fn a_removed_revision_is_gone() {
    let _shown = shows("conan", "yank");
    let scene = Scene::public("conan").await;
    let conan = publisher(&scene).await;
    conan.create("hello", "1.0", "first").await;
    conan.upload("hello/1.0").await.succeeds();
    conan.run(&["remove", "hello/1.0", "-r", "acme", "-c"]).await.succeeds();
    let reader = Conan::new(&scene.url()).await;
    reader.install("hello/1.0").await.fails_with(&["Unable to find 'hello/1.0'"]);
}

#[tokio::test]
async fn a_staged_release_is_invisible_until_it_is_published() {
    let _shown = shows("conan", "staged");
    let scene = Scene::public("conan").await;
    scene.stage().await;
    let conan = publisher(&scene).await;
    conan.create("hello", "1.0", "first").await;
    conan.upload("hello/1.0").await.succeeds();
    let reader = Conan::new(&scene.url()).await;
    reader.install("hello/1.0").await.fails_with(&["Unable to find 'hello/1.0'"]);
    scene.publish("hello", "1.0").await;
    reader.install("hello/1.0").await.succeeds();
    assert_eq!(reader.got("hello", "1.0"), "first");
}

#[tokio::test]
async fn two_publishers_at_once_lose_nothing() {
    let scene = Scene::public("conan").await;
    let (one, two) = (publisher(&scene).await, publisher(&scene).await);
    one.create("hello", "1.0", "one").await;
    two.create("hello", "1.0", "two").await;
    let both = tokio::join!(one.upload("hello/1.0"), two.upload("hello/1.0"));
    both.0.succeeds();
    both.1.succeeds();
    let listed = one.run(&["list", "hello/1.0#*", "-r", "acme"]).await.succeeds();
    assert_eq!(listed.matches("UTC").count(), 2, "{listed}");
}
