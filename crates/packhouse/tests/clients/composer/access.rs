//! Keys for parts of a repository.

use super::fixture::{HELLO, Php, code};
use crate::{matrix::shows, scene::Scene};

#[tokio::test]
async fn a_key_for_one_package_reads_no_other() {
    let _shown = shows("composer", "key holder");
    let scene = Scene::private("composer").await;
    let php = Php::new(&scene.url(), &scene.ada);
    for name in [HELLO, "acme/other"] {
        php.publish(&scene.ada, name, "1.0.0").await.succeeds();
    }
    let client = scene.key_for("acme:hello").await;
    let reader = Php::new(&scene.url(), &client);
    reader.require(HELLO).await.succeeds();
    assert_eq!(reader.installed(), code("1.0.0"));
    reader.require("acme/other").await.fails_with(&["Could not find"]);
    let found = reader.composer(&["search", "acme"]).await.succeeds();
    assert!(found.contains("acme/hello") && !found.contains("acme/other"), "{found}");
    reader.publish(&client, HELLO, "2.0.0").await.fails_with(&["403", "404"]);
    client.download("/ada/repo/p2/acme/other.json").await.expect(404);
}

#[tokio::test]
async fn a_wrong_key_is_refused() {
    let scene = Scene::private("composer").await;
    let php = Php::new(&scene.url(), &scene.server.person("ada", "wrong"));
    php.publish(&scene.server.person("ada", "wrong"), HELLO, "1.0.0").await.fails_with(&["401"]);
    php.require(HELLO).await.fails_with(&["401", "Invalid credentials"]);
}
