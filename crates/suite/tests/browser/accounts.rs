//! Management pages: organizations, keys, agreements, callbacks.

use operations::events::webhooks;
use serde_json::json;
use suite::{
    Receiver,
    chromium::{Tab, Window},
};

use crate::scene::Scene;

async fn fill(tab: &Tab, fields: &[(&str, &str)]) {
    for (selector, text) in fields {
        tab.find(selector).await.type_text(text).await;
    }
}

#[tokio::test]
async fn ada_makes_an_organization_adds_a_member_and_makes_a_key() {
    // Everything must also work without scripts.
    for has_scripts in [true, false] {
        let scene = Scene::set(Window { has_scripts, ..Window::DESK }).await;
        let bob = scene.house.user("bob").await;
        scene.sign_in().await;
        scene.go("/account").await;
        scene.tab.find("details:has(#new-org-form) > summary").await.click().await;
        fill(&scene.tab, &[("#org-name", "acme"), ("#org-full-name", "Acme")]).await;
        scene.tab.find_button("Create organization").await.click().await;
        scene.tab.wait_for_url(&scene.at("/-/orgs/acme")).await;
        fill(&scene.tab, &[("#member-name", "bob")]).await;
        scene.tab.find_button("Add member").await.click().await;
        scene.tab.find("#member-bob").await;
        assert_eq!(scene.tab.find("#notice").await.text().await, "The member has been saved.");
        let orgs = bob.get("/users/bob").await.expect(200).json()["organizations"].clone();
        assert_eq!(orgs, json!(["acme"]));

        scene.tab.find_link("Access keys").await.click().await;
        scene.tab.wait_for_url(&scene.at("/-/orgs/acme/access_keys")).await;
        fill(&scene.tab, &[("#key-id", "guest")]).await;
        scene.tab.find_button("Create access key").await.click().await;
        let name = scene.tab.find("#made-name").await.text().await;
        let password = scene.tab.find("#made-password").await.text().await;
        assert_eq!(name, "guest@acme");
        scene.ada.post("/repos/acme/tools").json(json!({ "private": true })).await.expect(201);
        let given = json!({ "access": "r", "access_keys": ["guest"] });
        scene.ada.post("/repos/acme/tools/entitlements").json(given).await.expect(201);
        scene.house.person(&name, &password).get("/repos/acme/tools").await.expect(200);
        scene.check_quiet().await;
    }
}

#[tokio::test]
async fn a_guest_accepts_the_terms_and_downloads() {
    let scene = Scene::set(Window::DESK).await;
    let (admin, ada) = (scene.house.admin(), &scene.ada);
    admin.put("/subjects/ada/plan").json(json!({ "plan": "enterprise" })).await.expect(200);
    let product = json!({ "name": "suite", "display_name": "The Suite", "packages": ["secrets/dog"] });
    ada.post("/products/ada").json(product).await.expect(201);
    let eula = json!({ "name": "terms", "syntax": "markdown", "content": "# Be kind\n\nAlways.", "default": true });
    ada.post("/products/ada/suite/eulas").json(eula).await.expect(201);
    let key = json!({ "id": "guest", "password": "a-password-of-a-guest" });
    ada.post("/users/ada/access_keys").json(key).await.expect(201);
    let given = json!({ "access": "r", "access_keys": ["guest"] });
    ada.post("/products/ada/suite/entitlements").json(given).await.expect(201);
    let guest = scene.house.person("guest@ada", "a-password-of-a-guest");
    guest.download("/ada/secrets/dog.txt").await.expect(403);
    // The page of the terms leads to the sign-in with the key, and back.
    scene.go("/eula/ada/suite/1.0").await;
    scene.tab.find("#name").await.type_text("guest@ada").await;
    scene.tab.find("#secret").await.type_text("a-password-of-a-guest").await;
    scene.tab.find_button("Sign in").await.click().await;
    scene.tab.wait_for_text("Be kind").await;
    scene.tab.find_button("I accept").await.click().await;
    assert!(scene.tab.find("#accepted").await.text().await.contains("You have accepted this agreement"));
    guest.download("/ada/secrets/dog.txt").await.expect(200);
    assert_eq!(scene.tab.take_complaints().await, [""; 0]);
}

#[tokio::test]
async fn ada_sends_a_callback_again() {
    let (scene, receiver) = (Scene::set(Window::DESK).await, Receiver::start().await);
    let hook = json!({ "url": receiver.url("/hook") });
    scene.ada.post("/webhooks/ada/tools/cat").json(hook).await.expect(201);
    scene.ada.put("/content/ada/tools/cat/2.0/two.txt?publish=1").body("meow").await.expect(201);
    let house = scene.house.app().house();
    assert_eq!(webhooks::deliver_due(house).await.expect("delivered"), 1);
    scene.sign_in().await;
    scene.go("/ada/tools/cat").await;
    scene.tab.find_link("Webhooks").await.click().await;
    scene.tab.wait_for_url(&scene.at("/-/webhooks/ada/tools/cat")).await;
    scene.tab.find("#deliveries button").await.click().await;
    assert_eq!(scene.tab.find("#notice").await.text().await, "The callback will be sent again.");
    assert_eq!(webhooks::deliver_due(house).await.expect("delivered"), 1);
    let told = receiver.callbacks();
    assert_eq!(told.len(), 2);
    assert_eq!(told[0].header("webhook-id"), told[1].header("webhook-id"));
    scene.check_quiet().await;
}

#[tokio::test]
async fn an_administrator_makes_a_user_and_reads_what_was_done() {
    let scene = Scene::set(Window::DESK).await;
    scene.sign_in_as("admin", scene.house.admin().key()).await;
    scene.choose("#account-menu", "#administer").await;
    scene.tab.wait_for_url(&scene.at("/-/admin")).await;
    scene.tab.find_link("Users and organizations").await.click().await;
    fill(&scene.tab, &[("#user-name", "grace"), ("#full-name", "Grace")]).await;
    scene.tab.find_button("Create user").await.click().await;
    let key = scene.tab.find("#new-api-key").await.text().await;
    scene.house.person("grace", &key).get("/users/grace").await.expect(200);
    scene.tab.find_link("Audit log").await.click().await;
    fill(&scene.tab, &[("#target", "grace")]).await;
    scene.tab.find_button("Filter").await.click().await;
    scene.tab.find_link("Audit log").await;
    let text = scene.tab.find("#audit").await.text().await;
    assert!(text.contains("user.create") && text.contains("grace"), "{text}");
    scene.check_quiet().await;
}
