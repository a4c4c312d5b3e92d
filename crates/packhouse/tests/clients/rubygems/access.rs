//! Keys for parts of a repository.

use super::fixture::Ruby;
use crate::{matrix::shows, scene::Scene};

#[tokio::test]
async fn a_key_for_one_gem_reads_no_other() {
    let _shown = [shows("gem", "key holder"), shows("bundle", "key holder")];
    let scene = Scene::private("rubygems").await;
    let ruby = Ruby::new(&scene.ada);
    for name in ["hello", "other"] {
        ruby.make(name, "1.0.0", "").await;
        ruby.push(&scene.url(), &format!("{name}-1.0.0.gem")).await.succeeds();
    }
    let client = scene.key_for("hello").await;
    let reader = Ruby::new(&scene.server.anyone());
    reader.gemfile(&scene.url_with(&client), "gem 'hello'");
    reader.bundle().await.succeeds();
    reader.gemfile(&scene.url_with(&client), "gem 'other'");
    reader.bundle().await.fails_with(&["Could not find gem 'other'"]);
    reader.install(&scene.url_with(&client), &["hello"]).await.succeeds();
    assert!(reader.got("hello-1.0.0"));
    let names = client.download("/ada/repo/names").await.expect(200).text();
    assert_eq!(names, "---\nhello\n");
}
