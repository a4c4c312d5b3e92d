//! What everyone does.

use super::fixture::{HELLO, Php, code};
use crate::{matrix::shows, scene::Scene};

#[tokio::test]
async fn composer_installs_what_curl_publishes() {
    let _shown = shows("composer", "publish, install");
    let scene = Scene::public("composer").await;
    let php = Php::new(&scene.url(), &scene.server.anyone());
    php.publish(&scene.ada, HELLO, "1.0.0").await.succeeds();
    php.publish(&scene.ada, HELLO, "1.0.0").await.succeeds();
    php.publish_text(&scene.ada, HELLO, "1.0.0", "other").await.fails_with(&["releases never change"]);
    php.publish(&scene.server.anyone(), HELLO, "1.1.0").await.fails_with(&["401"]);
    php.require(HELLO).await.succeeds();
    assert_eq!(php.installed(), code("1.0.0"));
    php.require("acme/unknown").await.fails_with(&["Could not find"]);
}

#[tokio::test]
async fn a_private_package_needs_a_key() {
    let _shown = shows("composer", "private");
    let scene = Scene::private("composer").await;
    let reader = Php::new(&scene.url(), &scene.ada);
    reader.publish(&scene.ada, HELLO, "1.0.0").await.succeeds();
    let stranger = Php::new(&scene.url(), &scene.server.anyone());
    stranger.require(HELLO).await.fails_with(&["401"]);
    reader.require(HELLO).await.succeeds();
    assert_eq!(reader.installed(), code("1.0.0"));
}
