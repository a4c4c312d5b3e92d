//! What everyone does.

use super::fixture::Ruby;
use crate::{matrix::shows, scene::Scene};

#[tokio::test]
async fn gem_publishes_and_installs() {
    let _shown = shows("gem", "publish, install");
    let scene = Scene::public("rubygems").await;
    let publisher = Ruby::new(&scene.ada);
    publisher.make("hello", "1.0.0", "").await;
    let answer = publisher.push(&scene.url(), "hello-1.0.0.gem").await.succeeds();
    assert!(answer.contains("Successfully registered gem: hello (1.0.0)"), "{answer}");
    publisher.push(&scene.url(), "hello-1.0.0.gem").await.fails_with(&["Repushing of gem versions is not allowed"]);

    let reader = Ruby::new(&scene.server.anyone());
    reader.install(&scene.url(), &["hello"]).await.succeeds();
    assert!(reader.got("hello-1.0.0"));
    reader.install(&scene.url(), &["unknown"]).await.fails_with(&["Could not find a valid gem 'unknown'"]);
}

#[tokio::test]
async fn bundler_installs_with_dependencies() {
    let _shown = shows("bundle", "install");
    let scene = Scene::public("rubygems").await;
    let publisher = Ruby::new(&scene.ada);
    publisher.make("first", "1.0.0", "").await;
    publisher.make("second", "1.0.0", "s.add_dependency 'first', '~> 1.0'").await;
    for file in ["first-1.0.0.gem", "second-1.0.0.gem"] {
        publisher.push(&scene.url(), file).await.succeeds();
    }
    let reader = Ruby::new(&scene.server.anyone());
    reader.gemfile(&scene.url(), "gem 'second'");
    reader.bundle().await.succeeds();
    assert!(reader.locked("first (1.0.0)") && reader.locked("second (1.0.0)"));
}

#[tokio::test]
async fn a_private_gem_needs_a_key() {
    let _shown = [shows("gem", "private"), shows("bundle", "private")];
    let scene = Scene::private("rubygems").await;
    let stranger = Ruby::new(&scene.server.person("ada", "wrong"));
    stranger.make("hello", "1.0.0", "").await;
    stranger.push(&scene.url(), "hello-1.0.0.gem").await.fails_with(&["API key", "credentials", "password"]);
    let publisher = Ruby::new(&scene.ada);
    publisher.make("hello", "1.0.0", "").await;
    publisher.push(&scene.url(), "hello-1.0.0.gem").await.succeeds();

    let reader = Ruby::new(&scene.server.anyone());
    reader.install(&scene.url(), &["hello"]).await.fails_with(&["Could not find a valid gem", "401"]);
    reader.gemfile(&scene.url(), "gem 'hello'");
    reader.bundle().await.fails_with(&["Authentication is required", "401", "Bad username or password"]);
    reader.install(&scene.url_with(&scene.ada), &["hello"]).await.succeeds();
    assert!(reader.got("hello-1.0.0"));
    reader.gemfile(&scene.url_with(&scene.ada), "gem 'hello'");
    reader.bundle().await.succeeds();
    assert!(reader.locked("hello (1.0.0)"));
}

#[tokio::test]
async fn an_empty_repository_has_no_gem() {
    let scene = Scene::public("rubygems").await;
    let reader = Ruby::new(&scene.server.anyone());
    reader
        .install(&scene.url(), &["hello"])
        .await
        .fails_with(&["Could not find a valid gem 'hello' (>= 0) in any repository"]);
    reader.gemfile(&scene.url(), "gem 'hello'");
    reader.bundle().await.fails_with(&["Could not find gem 'hello'"]);
}
