//! Cargo.

use crate::{cargo::fixture::Rust, pages::follow, scene::Scene};

#[tokio::test]
async fn the_page_of_cargo_can_be_followed() {
    let scene = Scene::acme().await;
    let mut rust = Rust::without_registry();
    rust.machine.set("CARGO_HOME", rust.machine.path(".cargo").display().to_string());
    rust.library_in("work/hello", "hello", "0.1.0", "");
    rust.program_in("work/app");
    follow(&scene, &mut rust.machine, "docs/clients/cargo.md").await;
}
