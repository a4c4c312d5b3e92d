//! Signing in and out, and the key that programs use.

use suite::chromium::Window;

use crate::scene::Scene;

#[tokio::test]
async fn ada_signs_in_takes_a_new_key_and_signs_out() {
    let scene = Scene::set(Window::DESK).await;
    scene.go("/ada/secrets").await;
    assert!(scene.tab.text().await.contains("not found") || scene.tab.text().await.contains("Not found"));
    scene.tab.take_complaints().await;
    scene.sign_in().await;
    scene.go("/ada/secrets/dog").await;
    assert_eq!(scene.tab.find("#private").await.text().await, "Private");

    scene.go("/account").await;
    scene.tab.find_button("Create a new API key").await.click().await;
    scene.tab.find("#ask-yes").await.click().await;
    let key = scene.tab.find("#new-api-key").await.text().await;
    scene.house.person("ada", &key).get("/users/ada").await.expect(200);
    scene.ada.get("/users/ada").await.expect(401);

    scene.sign_out().await;
    scene.go("/account").await;
    scene.tab.wait_for_text("Password or API key").await;
    scene.check_quiet().await;
}

#[tokio::test]
async fn a_wrong_password_is_told_and_the_name_stays() {
    let scene = Scene::set(Window::DESK).await;
    scene.go("/login").await;
    scene.tab.find("#name").await.type_text("ada").await;
    scene.tab.find("#secret").await.type_text("a-wrong-password").await;
    scene.tab.find_button("Sign in").await.click().await;
    assert!(scene.tab.find("#notice").await.is_shown().await);
    assert_eq!(scene.tab.find("#name").await.attribute("value").await.as_deref(), Some("ada"));
    assert_eq!(scene.tab.find("#secret").await.attribute("value").await.unwrap_or_default(), "");
}

#[tokio::test]
async fn everything_works_without_scripts() {
    let scene = Scene::set(Window { has_scripts: false, ..Window::DESK }).await;
    scene.sign_in().await;
    scene.tab.find("#q").await.type_text("cat\n").await;
    scene.tab.wait_for_url(&scene.at("/search?q=cat")).await;
    scene.tab.find_link("ada/tools/cat").await.click().await;
    scene.tab.wait_for_url(&scene.at("/ada/tools/cat")).await;
    scene.sign_out().await;
}
