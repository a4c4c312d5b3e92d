//! gem and Bundler.

use crate::{pages::follow, rubygems::fixture::Ruby, scene::Scene};

#[tokio::test]
async fn the_page_of_gems_can_be_followed() {
    let scene = Scene::acme().await;
    let mut ruby = Ruby::new(&scene.server.anyone());
    ruby.make("hello", "1.0.0", "").await;
    ruby.machine.set("GEM_HOME", ruby.machine.path("gems").display().to_string());
    // Nothing comes from the public index.
    ruby.machine.write(".gemrc", ":sources: []\n");
    ruby.machine.write("work/app/.keep", "");
    follow(&scene, &mut ruby.machine, "docs/clients/rubygems.md").await;
}
