//! Composer.

use crate::{
    composer::fixture::{machine, package},
    pages::follow,
    scene::Scene,
};

#[tokio::test]
async fn the_page_of_composer_can_be_followed() {
    let scene = Scene::acme().await;
    let mut machine = machine();
    machine.write("work/hello.zip", package("acme/hello", "hello"));
    // A server without TLS, and nothing from the public index.
    machine
        .write("work/app/composer.json", r#"{"repositories": {"packagist": false}, "config": {"secure-http": false}}"#);
    follow(&scene, &mut machine, "docs/clients/composer.md").await;
}
