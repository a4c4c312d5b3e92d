//! Versions that come and go.

use super::fixture::Ruby;
use crate::{matrix::shows, scene::Scene};

/// Publishes versions of a gem in a public repository.
async fn published(versions: &[&str]) -> (Scene, Ruby) {
    let scene = Scene::public("rubygems").await;
    let ruby = Ruby::new(&scene.ada);
    for version in versions {
        ruby.make("hello", version, "").await;
        ruby.push(&scene.url(), &format!("hello-{version}.gem")).await.succeeds();
    }
    (scene, ruby)
}

#[tokio::test]
async fn the_newest_release_is_installed_and_counted_once() {
    let _shown = shows("gem", "counted");
    let (scene, _) = published(&["1.9.0", "1.10.0", "2.0.0.rc1"]).await;
    let reader = Ruby::new(&scene.server.anyone());
    reader.install(&scene.url(), &["hello"]).await.succeeds();
    assert!(reader.got("hello-1.10.0"));
    scene.counts("hello", 1).await;
}

#[tokio::test]
async fn a_yanked_version_is_not_chosen() {
    let _shown = [shows("gem", "yank"), shows("bundle", "yank")];
    let (scene, ruby) = published(&["1.0.0", "1.1.0"]).await;
    let reader = Ruby::new(&scene.server.anyone());
    reader.gemfile(&scene.url(), "gem 'hello'");
    reader.bundle().await.succeeds();
    assert!(reader.locked("hello (1.1.0)"));

    let answer = ruby.gem(&["yank", "hello", "-v", "1.1.0", "--host", &scene.url()]).await.succeeds();
    assert!(answer.contains("Successfully deleted gem: hello (1.1.0)"), "{answer}");
    let other = Ruby::new(&scene.server.anyone());
    other.gemfile(&scene.url(), "gem 'hello'");
    other.bundle().await.succeeds();
    assert!(other.locked("hello (1.0.0)"));
    other.install(&scene.url(), &["hello"]).await.succeeds();
    assert!(other.got("hello-1.0.0") && !other.got("hello-1.1.0"));
    scene.server.anyone().download("/ada/repo/gems/hello-1.1.0.gem").await.expect(200);
}

#[tokio::test]
async fn bundler_sees_a_new_version_with_its_old_cache() {
    let _shown = shows("bundle", "counted");
    let (scene, ruby) = published(&["1.0.0"]).await;
    let reader = Ruby::new(&scene.server.anyone());
    reader.gemfile(&scene.url(), "gem 'hello'");
    reader.bundle().await.succeeds();
    scene.counts("hello", 1).await;
    for (name, version) in [("hello", "1.1.0"), ("other", "1.0.0")] {
        ruby.make(name, version, "").await;
        ruby.push(&scene.url(), &format!("{name}-{version}.gem")).await.succeeds();
    }
    std::fs::remove_file(reader.machine.path("work/Gemfile.lock")).expect("a lock file");
    reader.gemfile(&scene.url(), "gem 'hello'\ngem 'other'");
    reader.bundle().await.succeeds();
    assert!(reader.locked("hello (1.1.0)") && reader.locked("other (1.0.0)"));
}

#[tokio::test]
async fn lists_have_all_gems() {
    let (scene, ruby) = published(&["1.0.0", "1.1.0", "2.0.0.rc1"]).await;
    let source = format!("{}/", scene.url());
    let list = ["list", "--remote", "--clear-sources", "--source", &source];
    let newest = ruby.gem(&list).await.succeeds();
    assert!(newest.contains("hello (1.1.0)"), "{newest}");
    let all = ruby.gem(&[&list[..], &["--all", "--prerelease"]].concat()).await.succeeds();
    assert!(all.contains("2.0.0.rc1, 1.1.0, 1.0.0"), "{all}");
    let found = ruby.gem(&["search", "--remote", "--clear-sources", "--source", &source, "hel"]).await.succeeds();
    assert!(found.contains("hello"), "{found}");
}

#[tokio::test]
async fn a_staged_release_is_invisible_until_it_is_published() {
    let _shown = [shows("gem", "staged"), shows("bundle", "staged")];
    let scene = Scene::public("rubygems").await;
    let ruby = Ruby::new(&scene.ada);
    ruby.make("other", "1.0.0", "").await;
    ruby.push(&scene.url(), "other-1.0.0.gem").await.succeeds();
    scene.stage().await;
    ruby.make("hello", "1.0.0", "").await;
    ruby.push(&scene.url(), "hello-1.0.0.gem").await.succeeds();
    let reader = Ruby::new(&scene.server.anyone());
    reader.install(&scene.url(), &["hello"]).await.fails_with(&["Could not find a valid gem"]);
    reader.gemfile(&scene.url(), "gem 'hello'");
    reader.bundle().await.fails_with(&["Could not find gem 'hello'"]);
    scene.publish("hello", "1.0.0").await;
    reader.bundle().await.succeeds();
    assert!(reader.locked("hello (1.0.0)"));
    reader.install(&scene.url(), &["hello"]).await.succeeds();
    assert!(reader.got("hello-1.0.0"));
}

#[tokio::test]
async fn a_deleted_version_never_comes_back() {
    let (scene, ruby) = published(&["1.0.0", "1.1.0"]).await;
    scene.delete("hello", "1.1.0").await;
    let reader = Ruby::new(&scene.server.anyone());
    reader.install(&scene.url(), &["hello"]).await.succeeds();
    assert!(reader.got("hello-1.0.0"));
    ruby.push(&scene.url(), "hello-1.1.0.gem").await.fails_with(&["Repushing of gem versions is not allowed"]);
}

#[tokio::test]
async fn two_publishers_at_once_lose_nothing() {
    let scene = Scene::public("rubygems").await;
    let ruby = Ruby::new(&scene.ada);
    for name in ["one", "two"] {
        ruby.make(name, "1.0.0", "").await;
    }
    let url = scene.url();
    let both = tokio::join!(ruby.push(&url, "one-1.0.0.gem"), ruby.push(&url, "two-1.0.0.gem"));
    both.0.succeeds();
    both.1.succeeds();
    let reader = Ruby::new(&scene.server.anyone());
    reader.gemfile(&url, "gem 'one'\ngem 'two'");
    reader.bundle().await.succeeds();
}
