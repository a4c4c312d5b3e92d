//! The look of pages: in dark mode, and on a phone.

use serde_json::json;
use suite::chromium::Window;

use crate::scene::Scene;

/// Returns the lightness of a CSS color, from 0 to 255.
fn lightness(colour: &str) -> f64 {
    let numbers: Vec<f64> =
        colour.split(|c: char| !c.is_ascii_digit() && c != '.').filter_map(|part| part.parse().ok()).collect();
    numbers.iter().take(3).sum::<f64>() / 3.0
}

#[tokio::test]
async fn pages_are_dark_for_those_who_like_it() {
    for (is_dark, wanted) in [(true, 0.0..80.0), (false, 200.0..256.0)] {
        let scene = Scene::set(Window { is_dark, ..Window::DESK }).await;
        scene.go("/ada/tools/cat").await;
        let ground = scene.tab.find("body").await.style("background-color").await;
        assert!(wanted.contains(&lightness(&ground)), "dark: {is_dark}, background: {ground}");
        let words = scene.tab.find("h1").await.style("color").await;
        assert!((lightness(&ground) - lightness(&words)).abs() > 120.0, "{words} on {ground}");
    }
}

#[tokio::test]
async fn no_page_is_wider_than_a_phone() {
    let scene = Scene::set(Window::PHONE).await;
    scene.furnish().await;
    scene.sign_in().await;
    for path in Scene::PUBLIC.into_iter().chain(["/ada/secrets/dog"]).chain(Scene::OWN).chain(Scene::MANAGED) {
        assert_narrow(&scene, path).await;
    }
    scene.sign_out().await;
    scene.sign_in_as("admin", scene.house.admin().key()).await;
    for path in Scene::ADMIN {
        assert_narrow(&scene, path).await;
    }
    scene.check_quiet().await;
}

async fn assert_narrow(scene: &Scene, path: &str) {
    scene.go(path).await;
    let script = "const page = document.documentElement; return page.scrollWidth - page.clientWidth";
    assert_eq!(scene.tab.run(script, &[]).await, json!(0), "{path} is wider than its window");
}

#[tokio::test]
async fn pages_are_light() {
    let scene = Scene::set(Window::DESK).await;
    scene.furnish().await;
    scene.sign_in().await;
    for path in Scene::PUBLIC.into_iter().chain(Scene::OWN).chain(Scene::MANAGED) {
        scene.go(path).await;
        let script = "return performance.getEntries().filter(e => e.transferSize !== undefined)\
             .reduce((sum, e) => sum + e.decodedBodySize, 0)";
        let bytes = scene.tab.run(script, &[]).await.as_u64().expect("a number");
        assert!((1..100 << 10).contains(&bytes), "{path} takes {bytes} bytes");
    }
}
