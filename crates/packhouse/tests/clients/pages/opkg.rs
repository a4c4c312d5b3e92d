//! What the page of opkg has for publishers, and signify. Only OpenWrt has opkg.

use suite::archives::deb;

use crate::{client::Machine, pages::follow, scene::Scene};

#[tokio::test]
async fn the_page_of_opkg_can_be_followed() {
    let scene = Scene::acme().await;
    let mut machine = Machine::new();
    for version in ["1.0-1", "1.0-2"] {
        machine.write(&format!("work/hello_{version}_all.ipk"), deb("hello", version, "all"));
    }
    follow(&scene, &mut machine, "docs/clients/opkg.md").await;
}
