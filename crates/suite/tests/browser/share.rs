//! Sharing: signed URLs, attributes and links.

use serde_json::json;
use suite::chromium::{Window, open};

use crate::scene::Scene;

#[tokio::test]
async fn a_signed_address_opens_a_private_file_for_somebody_else() {
    let scene = Scene::set(Window::DESK).await;
    scene.sign_in().await;
    scene.go("/ada/secrets/dog/1.0").await;
    scene.tab.find("#files a[href^='/-/signed-url/']").await.click().await;
    scene.tab.find_button("Create a signed URL").await.click().await;
    let url = scene.tab.find("#made").await.text().await;
    scene.check_quiet().await;
    let friend = open(Window::DESK).await;
    friend.go(&scene.at("/ada/secrets/dog/1.0")).await;
    friend.wait_for_text("Not found").await;
    friend.go(&url).await;
    assert_eq!(friend.text().await, "meow");
    friend.go(&url.replace("signature=", "signature=0")).await;
    assert_ne!(friend.text().await, "meow");
}

#[tokio::test]
async fn an_attribute_is_added_changed_and_removed() {
    let scene = Scene::set(Window::DESK).await;
    scene.sign_in().await;
    scene.go("/ada/tools/cat").await;
    scene.choose("#more", "#edit-attributes").await;
    scene.tab.find("#name").await.type_text("lives").await;
    scene.tab.find("#values").await.type_text("9").await;
    scene.tab.find_button("Save").await.click().await;
    scene.tab.wait_for_text("The attribute has been saved.").await;
    scene.tab.wait_for_text("number: 9").await;
    scene.tab.find("#rows li:last-child a").await.click().await;
    let values = scene.tab.find("#values").await;
    assert_eq!(scene.tab.run("return arguments[0].value", &[values.argument()]).await, json!("9"));
    values.clear().await;
    values.type_text("7").await;
    scene.tab.find_button("Save").await.click().await;
    scene.tab.wait_for_text("number: 7").await;
    scene.tab.find("#rows li:last-child button").await.click().await;
    scene.tab.wait_for_text("The attribute has been removed.").await;
    assert!(!scene.tab.find("#rows").await.text().await.contains("lives"));
    scene.check_quiet().await;
}

#[tokio::test]
async fn a_package_is_linked_into_another_repository_and_taken_out_again() {
    let scene = Scene::set(Window::DESK).await;
    scene.sign_in().await;
    scene.go("/ada/tools/cat").await;
    scene.choose("#more", "#link").await;
    scene.tab.find("#repo").await.type_text("ada/secrets").await;
    scene.tab.find_button("Link").await.click().await;
    scene.tab.wait_for_url(&scene.at("/ada/secrets")).await;
    scene.tab.find_link("cat").await.click().await;
    scene.tab.find("#unlink").await.click().await;
    scene.tab.find("#ask-yes").await.click().await;
    scene.tab.wait_for_text("cat is no longer linked here.").await;
    scene.check_quiet().await;
}
