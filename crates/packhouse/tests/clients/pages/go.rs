//! The go command.

use super::follow;
use crate::{
    go::fixture::{Gopher, package},
    scene::Scene,
};

#[tokio::test]
async fn the_page_of_go_can_be_followed() {
    let scene = Scene::acme_behind_tls().await;
    let mut gopher = Gopher::without_proxy();
    gopher.machine.write("work/lib.zip", package("example.com/acme/lib", "v1.2.3", "hello"));
    gopher.machine.write("work/app/go.mod", "module example.org/app\n");
    follow(&scene, &mut gopher.machine, "docs/clients/go.md").await;
}
