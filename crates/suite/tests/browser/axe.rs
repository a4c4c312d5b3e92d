//! Accessibility of the pages for people who cannot see them or use a mouse, checked by a program.

use suite::chromium::{Tab, Window};

use crate::scene::Scene;

/// Looks at the page, and reports the serious problems in the words of axe-core. Only these leave the browser: all
/// results of a page with their elements are megabytes.
const LOOK: &str = "
    const report = arguments[arguments.length - 1];
    const isSerious = finding => ['serious', 'critical'].includes(finding.impact);
    axe.run({ resultTypes: ['violations'] }).then(seen => report({
        passes: seen.passes.length,
        findings: seen.violations.filter(isSerious).map(({ help, nodes }) => `${help}: ${JSON.stringify(nodes)}`),
    }));";

/// Returns the serious problems of the page.
async fn findings(tab: &Tab) -> Vec<String> {
    let place = std::env::var("PACKHOUSE_TEST_AXE").expect("`cargo xtask test` says where axe-core is");
    let script = std::fs::read_to_string(place).expect("axe-core can be read");
    tab.run(&script, &[]).await;
    let seen = tab.run_async(LOOK).await;
    assert!(seen["passes"].as_u64().is_some_and(|passes| passes > 5), "axe-core has looked: {seen}");
    let findings = seen["findings"].as_array().expect("a list").iter();
    findings.map(|finding| finding.as_str().expect("a text").to_owned()).collect()
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
    // It does find what is wrong.
    scene.tab.run("document.body.append(document.createElement('img'))", &[]).await;
    assert_eq!(findings(&scene.tab).await.len(), 1, "an image that nobody can hear");
}
