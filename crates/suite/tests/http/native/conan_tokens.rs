//! The tokens that Conan gets when it signs in.

use serde_json::json;
use suite::{Answer, Call, Person, TestHouse};

use super::conan::{MANIFEST, export, recipe};
use crate::indexes::repo_of;

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;
const USERS: &str = "//dl/ada/repo/v2/users";
const NOT_GOOD: &str = "The token is not valid, or has expired";

async fn token(who: &Person) -> String {
    who.get(&format!("{USERS}/authenticate")).await.expect(200).text()
}

fn bearer(call: Call, token: &str) -> Call {
    call.header("authorization", &format!("Bearer {token}"))
}

/// Uploads a recipe with a token.
async fn upload(house: &TestHouse, token: &str) {
    for (file, content) in [("conanfile.py", "code"), ("conanmanifest.txt", MANIFEST)] {
        bearer(house.anyone().put(&recipe(&export(file))), token).body(content).await.expect(200);
    }
}

/// Reads a file with a token.
async fn read(house: &TestHouse, token: &str) -> Answer {
    bearer(house.anyone().get(&recipe(&export("conanfile.py"))), token).await
}

async fn private_repo() -> (TestHouse, Person) {
    let (house, ada) = repo_of("conan").await;
    ada.patch("/repos/ada/repo").json(json!({"private": true})).await.expect(200);
    (house, ada)
}

#[tokio::test]
async fn a_token_stands_for_its_key_in_one_repository() {
    let (house, ada) = private_repo().await;
    ada.post("/repos/ada/other").json(json!({"type": "conan", "private": true})).await.expect(201);
    ada.post("/repos/ada/open").json(json!({"type": "conan"})).await.expect(201);
    let token = token(&ada).await;
    assert!(!token.contains(ada.key()), "{token}");
    upload(&house, &token).await;
    assert_eq!(read(&house, &token).await.expect(200).text(), "code");
    let anyone = house.anyone();
    let checked = bearer(anyone.get(&format!("{USERS}/check_credentials")), &token).await.expect(200);
    assert_eq!(checked.text(), "ada");
    let found = bearer(anyone.get("//dl/ada/repo/v2/conans/search?q=hel*"), &token).await.expect(200).json();
    assert_eq!(found, json!({"results": ["hello/1.0"]}));
    bearer(anyone.get(&recipe("/latest")), &token).await.expect(200);
    bearer(anyone.get("//dl/ada/repo/hello/1.0/_/_/"), &token).await.expect(200);
    for elsewhere in ["//dl/ada/other/v2/ping", "//dl/ada/open/v2/ping", "//dl/ada/missing/v2/ping", "//dl/eve/repo/"] {
        bearer(anyone.get(elsewhere), &token).await.refuses(401, NOT_GOOD);
    }
    for elsewhere in ["/repos/ada/repo", "/users/ada", "//v2/", "//dl/ada"] {
        bearer(anyone.get(elsewhere), &token).await.expect(401);
    }
    let with_two = bearer(anyone.get(&format!("{USERS}/check_credentials")), &token).header("x-nuget-apikey", "x");
    with_two.await.expect(400);
    bearer(anyone.get(&format!("{USERS}/check_credentials?access_token=x")), &token).await.expect(400);
    bearer(anyone.delete(&recipe("")), &token).await.expect(200);
}

#[tokio::test]
async fn only_credentials_get_a_token() {
    let (house, ada) = private_repo().await;
    let authenticate = format!("{USERS}/authenticate");
    house.anyone().get(&authenticate).await.expect(401);
    house.person("ada", "wrong").get(&authenticate).await.expect(401);
    house.user("eve").await.get(&authenticate).await.expect(404);
    let token = token(&ada).await;
    bearer(house.anyone().get(&authenticate), &token).await.expect(401);
    for wrong in [&token[1..], &format!("{token}x"), &token.replace('.', "")] {
        read(&house, wrong).await.expect(401);
        bearer(house.anyone().get(&format!("{USERS}/check_credentials")), wrong).await.expect(401);
    }
    ada.patch("/repos/ada/repo").json(json!({"private": false})).await.expect(200);
    house.anyone().get(&authenticate).await.expect(401);
    house.anyone().get(&format!("{USERS}/check_credentials")).await.expect(401);
}

#[tokio::test]
async fn a_token_ends_after_a_day_in_cached_responses_too() {
    let (house, ada) = private_repo().await;
    let token = token(&ada).await;
    upload(&house, &token).await;
    house.clock.advance(DAY_MS - 1_000);
    for _ in 0..3 {
        read(&house, &token).await.expect(200);
    }
    house.clock.advance(1_000);
    read(&house, &token).await.refuses(401, NOT_GOOD);
    bearer(house.anyone().get(&format!("{USERS}/check_credentials")), &token).await.refuses(401, NOT_GOOD);
    read(&house, &self::token(&ada).await).await.expect(200);
}

#[tokio::test]
async fn a_token_ends_with_the_credentials_that_asked_for_it() {
    let (house, ada) = private_repo().await;
    upload(&house, &token(&ada).await).await;
    let holder = house.key(&ada, "red", json!({})).await;
    house.grant("ada/repo", "red", "r").await;
    let made = ada.post("/users/ada/tokens").json(json!({"name": "ci", "scopes": ["read"]})).await.expect(201).json();
    let robot = house.person("ada", made["token"].as_str().expect("a token"));
    let (of_user, of_key, of_robot) = (token(&ada).await, token(&holder).await, token(&robot).await);
    for token in [&of_user, &of_key, &of_robot, &of_user, &of_key, &of_robot] {
        read(&house, token).await.expect(200);
    }
    ada.delete("/users/ada/access_keys/red").await.expect(200);
    read(&house, &of_key).await.refuses(401, NOT_GOOD);
    ada.delete(&format!("/users/ada/tokens/{}", made["id"].as_str().expect("an id"))).await.expect(200);
    read(&house, &of_robot).await.refuses(401, NOT_GOOD);
    read(&house, &of_user).await.expect(200);
    let key = ada.post("/users/ada/api_key").await.expect(201).json()["api_key"].as_str().expect("a key").to_owned();
    read(&house, &of_user).await.refuses(401, NOT_GOOD);
    let of_user = token(&house.person("ada", &key)).await;
    read(&house, &of_user).await.expect(200);
    house.admin().put("/users/ada/suspension").await.expect(200);
    read(&house, &of_user).await.refuses(401, NOT_GOOD);
}

#[tokio::test]
async fn a_token_has_the_rights_of_its_credentials() {
    let (house, ada) = private_repo().await;
    upload(&house, &token(&ada).await).await;
    let holder = house.key(&ada, "red", json!({})).await;
    house.grant("ada/repo", "red", "r").await;
    let made = json!({"name": "ci", "scopes": ["read"]});
    let made = ada.post("/users/ada/tokens").json(made).await.expect(201).json()["token"].clone();
    let robot = house.person("ada", made.as_str().expect("a token"));
    for who in [&holder, &robot] {
        let token = token(who).await;
        read(&house, &token).await.expect(200);
        let checked = bearer(house.anyone().get(&format!("{USERS}/check_credentials")), &token).await.expect(200);
        assert_eq!(checked.text(), who.name());
        bearer(house.anyone().put(&recipe(&export("conanfile.py"))), &token).body("x").await.expect(403);
        bearer(house.anyone().delete(&recipe("")), &token).await.expect(403);
    }
    let limited = json!({"name": "limited", "scopes": ["publish"], "resources": ["ada/repo"]});
    let limited = ada.post("/users/ada/tokens").json(limited).await.expect(201).json()["token"].clone();
    let token = token(&house.person("ada", limited.as_str().expect("a token"))).await;
    bearer(house.anyone().put(&recipe(&export("conan_export.tgz"))), &token).body("x").await.expect(200);
}

#[tokio::test]
async fn a_token_ends_with_the_repository_and_the_right_to_read_it() {
    let (house, ada) = repo_of("conan").await;
    let of_eve = token(&house.user("eve").await).await;
    let of_ada = token(&ada).await;
    upload(&house, &of_ada).await;
    read(&house, &of_eve).await.expect(200);
    ada.patch("/repos/ada/repo").json(json!({"private": true})).await.expect(200);
    read(&house, &of_eve).await.refuses(401, NOT_GOOD);
    read(&house, &of_ada).await.expect(200);
    ada.delete("/repos/ada/repo").await.expect(200);
    read(&house, &of_ada).await.refuses(401, NOT_GOOD);
    ada.post("/repos/ada/repo").json(json!({"type": "conan"})).await.expect(201);
    read(&house, &of_ada).await.refuses(401, NOT_GOOD);
}

#[tokio::test]
async fn a_name_and_a_key_in_base64_still_sign_in() {
    use base64::{Engine, prelude::BASE64_STANDARD};

    let (house, ada) = private_repo().await;
    let old = BASE64_STANDARD.encode(format!("ada:{}", ada.key()));
    upload(&house, &old).await;
    read(&house, &old).await.expect(200);
    let checked = bearer(house.anyone().get(&format!("{USERS}/check_credentials")), &old).await.expect(200);
    assert_eq!(checked.text(), "ada");
}
