//! Vagrant.

use crate::{
    pages::follow,
    scene::Scene,
    vagrant::fixture::{machine, package_for},
};

#[tokio::test]
async fn the_page_of_vagrant_can_be_followed() {
    let scene = Scene::acme().await;
    let mut machine = machine();
    machine.write("work/ubuntu.box", package_for("virtualbox", "1.0.0"));
    follow(&scene, &mut machine, "docs/clients/vagrant.md").await;
}
