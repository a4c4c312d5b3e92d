//! Conan.

use crate::{client::folder, conan::fixture::Conan, pages::follow, scene::Scene};

#[tokio::test]
async fn the_page_of_conan_can_be_followed() {
    let scene = Scene::acme().await;
    let mut conan = Conan::without_remote().await;
    conan.create("hello", "1.0", "hello").await;
    let program = folder("PACKHOUSE_TEST_CONAN").join("conan");
    conan.machine.install("conan", &format!("exec {} \"$@\"", program.display()));
    follow(&scene, &mut conan.machine, "docs/clients/conan.md").await;
}
