//! What the page of Alpine has for publishers. Only Alpine has apk.

use suite::archives::tar_gz;

use crate::{client::Machine, pages::follow, scene::Scene};

const INFORMATION: &str =
    "pkgname = hello\npkgver = 1.0-r0\npkgdesc = of ada\nsize = 5\narch = x86_64\nlicense = MIT\n";

#[tokio::test]
async fn the_page_of_alpine_can_be_followed() {
    let scene = Scene::acme().await;
    let mut machine = Machine::new();
    let parts = [tar_gz(&[(".PKGINFO", INFORMATION.as_bytes())]), tar_gz(&[("usr/bin/hello", b"hello")])];
    machine.write("work/hello-1.0-r0.apk", parts.concat());
    follow(&scene, &mut machine, "docs/clients/alpine.md").await;
}
