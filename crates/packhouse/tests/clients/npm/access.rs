//! Keys for parts of a repository.

use super::fixture::{HELLO, Node, code};
use crate::{matrix::shows, scene::Scene};

#[tokio::test]
async fn a_key_for_one_package_reads_no_other() {
    let _shown = shows("npm", "key holder");
    let scene = Scene::private("npm").await;
    let node = Node::new(&scene.url(), &scene.ada);
    for name in [HELLO, "@ada/other"] {
        node.publish(name, "1.0.0").await.succeeds();
    }
    let client = scene.key_for("@ada:hello").await;
    let reader = Node::with_name(&scene.url(), &client);
    reader.install(HELLO).await.succeeds();
    assert_eq!(reader.installed(), code("1.0.0"));
    reader.install("@ada/other").await.fails_with(&["E404"]);
    reader.publish(HELLO, "2.0.0").await.fails_with(&["E403", "E404"]);
    let found = reader.npm("work", &["search", "--json", "ada"]).await.succeeds();
    assert!(!found.contains("@ada/other"), "{found}");
}

#[tokio::test]
async fn a_wrong_key_is_refused() {
    let scene = Scene::private("npm").await;
    let node = Node::new(&scene.url(), &scene.server.person("ada", "wrong"));
    node.publish(HELLO, "1.0.0").await.fails_with(&["E401"]);
    node.npm("work", &["whoami"]).await.fails_with(&["E401"]);
}
