//! Accessibility of the pages for people who cannot see them or use a mouse, checked by a program.

use serde_json::Value;
use suite::chromium::{Tab, Window};

use crate::scene::Scene;

/// Returns the serious problems of the page, in the words of axe-core.
async fn findings(tab: &Tab) -> Vec<String> {
    let place = std::env::var("PACKHOUSE_TEST_AXE").expect("`cargo xtask test` says where axe-core is");
    let script = std::fs::read_to_string(place).expect("axe-core can be read");
    tab.run(&script, &[]).await;
    let seen = tab.run_async("axe.run().then(arguments[arguments.length - 1])").await;
    assert!(seen["passes"].as_array().is_some_and(|passes| passes.len() > 5), "axe-core has looked: {seen}");
    let is_serious = |finding: &&Value| matches!(finding["impact"].as_str(), Some("serious" | "critical"));
    let told = |finding: &Value| format!("{}: {}", finding["help"], finding["nodes"]);
    seen["violations"].as_array().into_iter().flatten().filter(is_serious).map(told).collect()
}

#[tokio::test]
async fn everybody_can_use_the_pages_on_a_desk() {
    can_use_the_pages(Window::DESK).await;
}

#[tokio::test]
async fn everybody_can_use_the_pages_on_a_dark_phone() {
    can_use_the_pages(Window { is_dark: true, ..Window::PHONE }).await;
}

async fn can_use_the_pages(window: Window) {
    let scene = Scene::set(window).await;
    let look = async |path: &str| {
        scene.go(path).await;
        assert_eq!(findings(&scene.tab).await, [""; 0], "{path} {window:?}");
    };
    for path in Scene::PUBLIC {
        look(path).await;
    }
    scene.sign_in().await;
    scene.furnish().await;
    for path in ["/", "/ada/secrets/dog"].into_iter().chain(Scene::OWN).chain(Scene::MANAGED) {
        look(path).await;
    }
    scene.sign_out().await;
    scene.sign_in_as("admin", scene.house.admin().key()).await;
    for path in Scene::ADMIN {
        look(path).await;
    }
}
