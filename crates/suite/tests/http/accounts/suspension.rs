//! What site administrators do to users: suspension, passwords, names.

use serde_json::json;
use suite::TestHouse;

use crate::{
    catalogue::{new_package, new_private_repo, new_repo},
    content::upload_published,
};

#[tokio::test]
async fn a_suspended_user_has_no_credentials_and_keeps_public_packages() {
    let house = TestHouse::start().await;
    let (admin, ada) = (house.admin(), house.user("ada").await);
    ada.patch("/users/ada").json(json!({"password": "difference engine"})).await.expect(200);
    new_repo(&ada, "ada/tools").await;
    new_package(&ada, "ada/tools", "cat").await;
    upload_published(&ada, "ada/tools/cat/1.0/cat.tar", "meow").await;
    new_private_repo(&ada, "ada/secret").await;
    let token = json!({"name": "ci", "scopes": ["read"]});
    let token = ada.post("/users/ada/tokens").json(token).await.expect(201).json();
    let token = house.person("ada", token["token"].as_str().expect("a token"));
    let guest = ada.post("/users/ada/access_keys").json(json!({"id": "guest"})).await.expect(201).json();
    let guest = house.person("guest@ada", guest["password"].as_str().expect("a password"));
    let browser = house.browser();
    browser.sign_in("ada", "difference engine").await.expect(303);
    browser.open("/account").await.expect(200);
    token.get("/repos/ada/secret").await.expect(200);
    guest.get("/repos/ada/tools").await.expect(200);

    admin.put("/users/ada/suspension").await.expect(200);
    for person in [&ada, &token, &guest] {
        person.get("/repos/ada/tools").await.expect(401);
        person.download("/ada/tools/cat.tar").await.expect(401);
    }
    browser.open("/account").await.expect(303);
    house.browser().sign_in("ada", "difference engine").await.expect(401);
    house.browser().sign_in("ada", ada.key()).await.expect(401);
    assert_eq!(house.anyone().download("/ada/tools/cat.tar").await.expect(200).text(), "meow");
    let listed = admin.get("/subjects?start_name=ada").await.expect(200).json();
    assert_eq!((&listed[0]["name"], &listed[0]["suspended"]), (&json!("ada"), &json!(true)));

    admin.delete("/users/ada/suspension").await.expect(200);
    for person in [&ada, &token, &guest] {
        person.get("/repos/ada/tools").await.expect(200);
    }
    browser.open("/account").await.expect(303);
    browser.sign_in("ada", "difference engine").await.expect(303);
}

#[tokio::test]
async fn suspension_is_for_site_administrators_and_leaves_one() {
    let house = TestHouse::start().await;
    let (admin, ada) = (house.admin(), house.user("ada").await);
    house.user("bob").await;
    for path in ["/users/bob/suspension", "/users/ada/suspension"] {
        ada.put(path).await.refuses(403, "You may not do this");
        ada.delete(path).await.refuses(403, "You may not do this");
    }
    house.anyone().put("/users/ada/suspension").await.expect(401);
    admin.put("/users/nobody/suspension").await.expect(404);
    admin.put("/users/admin/suspension").await.refuses(409, "You cannot suspend yourself");
    admin.put("/users/ada/suspension").await.expect(200);
    admin.put("/users/ada/suspension").await.expect(200);
    let log = admin.get("/audit").await.expect(200).json();
    let actions: Vec<&str> = log.as_array().expect("a list").iter().filter_map(|row| row["action"].as_str()).collect();
    assert_eq!(actions.iter().filter(|action| **action == "user.suspend").count(), 1, "{actions:?}");
}

#[tokio::test]
async fn a_reset_password_is_new_and_ends_sessions() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    ada.patch("/users/ada").json(json!({"password": "difference engine"})).await.expect(200);
    let browser = house.browser();
    browser.sign_in("ada", "difference engine").await.expect(303);
    ada.post("/users/ada/password").await.refuses(403, "You may not do this");
    let made = house.admin().post("/users/ada/password").await.expect(201).json();
    browser.open("/account").await.expect(303);
    house.browser().sign_in("ada", "difference engine").await.expect(401);
    house.browser().sign_in("ada", made["password"].as_str().expect("a password")).await.expect(303);
    ada.get("/users/ada").await.expect(200);
}

#[tokio::test]
async fn a_renamed_user_keeps_everything_and_nobody_gets_the_old_name() {
    let house = TestHouse::start_with(&[("open_registration", "true")]).await;
    let (admin, ada) = (house.admin(), house.user("ada").await);
    new_repo(&ada, "ada/tools").await;
    new_package(&ada, "ada/tools", "cat").await;
    upload_published(&ada, "ada/tools/cat/1.0/cat.tar", "meow").await;
    ada.post("/subjects/ada/rename").json(json!({"name": "lovelace"})).await.refuses(403, "You may not do this");
    house.user("bob").await;
    let to_bob = admin.post("/subjects/ada/rename").json(json!({"name": "Bob"})).await;
    to_bob.refuses(409, "Subject 'Bob' already exists");
    admin.post("/subjects/ada/rename").json(json!({"name": "lovelace"})).await.expect(200);
    ada.get("/users/ada").await.expect(401);
    let lovelace = house.person("lovelace", ada.key());
    lovelace.get("/users/lovelace").await.expect(200);
    lovelace.get("/users/ada").await.expect(404);
    let anyone = house.anyone();
    assert_eq!(anyone.download("/lovelace/tools/cat.tar").await.expect(200).text(), "meow");
    anyone.download("/ada/tools/cat.tar").await.expect(401);
    anyone.post("/users").json(json!({"name": "ada"})).await.refuses(409, "Subject 'ada' already exists");
    let bob = admin.post("/subjects/bob/rename").json(json!({"name": "ada"})).await;
    bob.refuses(409, "Subject 'ada' already exists");
    admin.post("/subjects/lovelace/rename").json(json!({"name": "ada"})).await.expect(200);
    assert_eq!(anyone.download("/ada/tools/cat.tar").await.expect(200).text(), "meow");
}

#[tokio::test]
async fn a_path_that_was_published_for_good_has_no_other_bytes_after_a_rename() {
    let house = TestHouse::start().await;
    let (admin, ada) = (house.admin(), house.user("ada").await);
    new_repo(&ada, "ada/tools").await;
    new_package(&ada, "ada/tools", "cat").await;
    upload_published(&ada, "ada/tools/cat/1.0/cat.tar", "meow").await;
    house.clock.advance(400 * 24 * 60 * 60 * 1_000);
    admin.post("/subjects/ada/rename").json(json!({"name": "lovelace"})).await.expect(200);
    // A site administrator may give the old name to somebody else.
    let made = admin.post("/users").json(json!({"name": "ada"})).await.expect(201).json();
    let other = house.person("ada", made["api_key"].as_str().expect("a key"));
    new_repo(&other, "ada/tools").await;
    new_package(&other, "ada/tools", "cat").await;
    let evil = other.put("/content/ada/tools/cat/1.0/cat.tar?publish=1").body("hiss").await.expect(409);
    assert!(evil.text().contains("was published for good"), "{}", evil.text());
    other.put("/content/ada/tools/cat/1.0/cat.tar?publish=1").body("meow").await.expect(201);
}
