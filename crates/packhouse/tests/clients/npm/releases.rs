//! Versions that come and go.

use super::fixture::{HELLO, Node, code};
use crate::{matrix::shows, scene::Scene};

#[tokio::test]
async fn an_unpublished_version_never_comes_back() {
    let _shown = shows("npm", "yank");
    let scene = Scene::public("npm").await;
    let node = Node::new(&scene.url(), &scene.ada);
    for version in ["1.0.0", "1.1.0"] {
        node.publish(HELLO, version).await.succeeds();
    }
    node.npm("work", &["unpublish", "@ada/hello@1.1.0"]).await.succeeds();
    let tags = node.npm("work", &["dist-tag", "ls", HELLO]).await.succeeds();
    assert_eq!(tags, "latest: 1.0.0\n");
    let reader = Node::new(&scene.url(), &scene.server.anyone());
    reader.install("@ada/hello@1.1.0").await.fails_with(&["ETARGET", "E404"]);
    reader.install(HELLO).await.succeeds();
    assert_eq!(reader.installed(), code("1.0.0"));
    node.publish(HELLO, "1.1.0").await.fails_with(&["You cannot publish over the previously published versions"]);
    node.publish(HELLO, "1.1.1").await.succeeds();
}

#[tokio::test]
async fn a_package_is_unpublished_as_a_whole() {
    let scene = Scene::public("npm").await;
    let node = Node::new(&scene.url(), &scene.ada);
    node.publish(HELLO, "1.0.0").await.succeeds();
    let stranger = Node::new(&scene.url(), &scene.server.user("eve").await);
    stranger.npm("work", &["unpublish", "--force", HELLO]).await.fails_with(&["E403", "E404"]);
    node.npm("work", &["unpublish", "--force", HELLO]).await.succeeds();
    Node::new(&scene.url(), &scene.server.anyone()).install(HELLO).await.fails_with(&["E404"]);
}

#[tokio::test]
async fn a_staged_release_is_invisible_until_it_is_published() {
    let _shown = shows("npm", "staged");
    let scene = Scene::public("npm").await;
    scene.stage().await;
    let node = Node::new(&scene.url(), &scene.ada);
    node.publish(HELLO, "1.0.0").await.succeeds();
    let reader = Node::new(&scene.url(), &scene.server.anyone());
    reader.install(HELLO).await.fails_with(&["E404"]);
    scene.publish("@ada:hello", "1.0.0").await;
    reader.install(HELLO).await.succeeds();
    assert_eq!(reader.installed(), code("1.0.0"));
}

#[tokio::test]
async fn two_publishers_at_once_lose_nothing() {
    let _shown = shows("npm", "counted");
    let scene = Scene::public("npm").await;
    let [first, second] = [(); 2].map(|()| Node::new(&scene.url(), &scene.ada));
    let both = tokio::join!(first.publish(HELLO, "1.0.0"), second.publish(HELLO, "1.1.0"));
    both.0.succeeds();
    both.1.succeeds();
    for version in ["1.0.0", "1.1.0"] {
        let reader = Node::new(&scene.url(), &scene.server.anyone());
        reader.install(&format!("{HELLO}@{version}")).await.succeeds();
        assert_eq!(reader.installed(), code(version));
    }
    scene.counts("@ada:hello", 2).await;
}
