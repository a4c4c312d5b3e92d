//! What everyone does.

use super::fixture::{HELLO, Node, code};
use crate::{matrix::shows, scene::Scene};

#[tokio::test]
async fn npm_publishes_and_installs() {
    let _shown = shows("npm", "publish, install");
    let scene = Scene::public("npm").await;
    let publisher = Node::new(&scene.url(), &scene.ada);
    publisher.publish(HELLO, "1.0.0").await.succeeds();
    let again = publisher.publish(HELLO, "1.0.0").await;
    again.fails_with(&["You cannot publish over the previously published versions"]);
    assert_eq!(publisher.npm("work", &["whoami"]).await.succeeds(), "ada\n");

    let reader = Node::new(&scene.url(), &scene.server.anyone());
    reader.install(HELLO).await.succeeds();
    assert_eq!(reader.installed(), code("1.0.0"));
    reader.install("@ada/unknown").await.fails_with(&["E404"]);
}

#[tokio::test]
async fn a_private_package_needs_a_key() {
    let _shown = shows("npm", "private");
    let scene = Scene::private("npm").await;
    let publisher = Node::with_name(&scene.url(), &scene.ada);
    publisher.publish(HELLO, "1.0.0").await.succeeds();

    let stranger = Node::new(&scene.url(), &scene.server.anyone());
    stranger.install(HELLO).await.fails_with(&["E401"]);
    let reader = Node::new(&scene.url(), &scene.ada);
    reader.install(HELLO).await.succeeds();
    assert_eq!(reader.installed(), code("1.0.0"));
}
