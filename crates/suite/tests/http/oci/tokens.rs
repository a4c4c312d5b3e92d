//! Tokens: who gets them, what they are for, and how they end.

use serde_json::json;

use super::tools::{app, bearer, code, digest, push, push_blob, refused, token, with_images};

const PULL: &str = "repository:ada/img/app:pull";
const PUSH: &str = "repository:ada/img/app:pull,push";

#[tokio::test]
async fn the_base_challenges_everyone_without_a_token() {
    let (house, ada) = with_images().await;
    let challenged = house.anyone().get("//v2/").await.expect(401);
    let realm = format!("Bearer realm=\"http://{}/v2/token\",service=\"packhouse\"", house.address);
    assert_eq!(challenged.header("www-authenticate"), realm);
    assert_eq!(
        (code(&challenged).as_str(), challenged.header("docker-distribution-api-version")),
        ("UNAUTHORIZED", "registry/2.0")
    );
    let anonymous = token(&house.anyone(), &[]).await;
    assert_eq!(bearer(house.anyone().get("//v2/"), &anonymous).await.expect(200).text(), "{}");
    ada.get("//v2/").await.expect(200);
    let wrong = house.person("ada", "wrong").get("//v2/").await.expect(401);
    assert!(wrong.header("www-authenticate").starts_with("Bearer "), "{wrong:?}");
    house.person("ada", "wrong").get("//v2/token").await.expect(401);
    refused(bearer(house.anyone().get("//v2/"), "nonsense").await, 401, "UNAUTHORIZED");
    refused(ada.post("//v2/").await, 405, "UNSUPPORTED");
}

#[tokio::test]
async fn a_token_document_has_both_names_and_a_form_gets_one_too() {
    let (house, ada) = with_images().await;
    let answer = ada.get(&format!("//v2/token?service=x&scope={PUSH}")).await.expect(200).json();
    assert_eq!((&answer["token"], &answer["expires_in"]), (&answer["access_token"], &json!(900)));
    let form = |password: &str| {
        let fields = format!("grant_type=password&username=ada&password={password}&service=x&scope={PUSH}");
        house.anyone().post("//v2/token").header("content-type", "application/x-www-form-urlencoded").body(fields)
    };
    let given = form(ada.key()).await.expect(200).json();
    let token = given["access_token"].as_str().expect("a token");
    bearer(house.anyone().post(&app("blobs/uploads/")), token).await.expect(202);
    form("wrong").await.expect(401);
    house.anyone().post("//v2/token").body("grant_type=refresh_token").await.expect(400);
}

#[tokio::test]
async fn a_token_is_for_its_images_and_actions_at_most() {
    let (house, ada) = with_images().await;
    push(&ada, "ada/img/app", "v1", &["layer"]).await;
    let (pull, both) = (token(&ada, &[PULL]).await, token(&ada, &[PUSH]).await);
    let anyone = house.anyone();
    bearer(anyone.get(&app("manifests/v1")), &pull).await.expect(200);
    bearer(anyone.get(&app("manifests/v1")), &both).await.expect(200);
    let refusal = bearer(anyone.post(&app("blobs/uploads/")), &pull).await;
    assert!(refusal.header("www-authenticate").contains("scope=\"repository:ada/img/app:pull,push\""), "{refusal:?}");
    refused(refusal, 401, "UNAUTHORIZED");
    bearer(anyone.post(&app("blobs/uploads/")), &both).await.expect(202);
    refused(bearer(anyone.post("//v2/ada/img/b/blobs/uploads/"), &both).await, 401, "UNAUTHORIZED");
    let anonymous = token(&anyone, &[PUSH]).await;
    bearer(anyone.get(&app("manifests/v1")), &anonymous).await.expect(200);
    refused(bearer(anyone.post(&app("blobs/uploads/")), &anonymous).await, 401, "UNAUTHORIZED");
    let eve = token(&house.user("eve").await, &[PUSH]).await;
    refused(bearer(anyone.post(&app("blobs/uploads/")), &eve).await, 403, "DENIED");
}

#[tokio::test]
async fn a_token_ends_after_a_while_and_cannot_be_changed() {
    let (house, ada) = with_images().await;
    push(&ada, "ada/img/app", "v1", &["layer"]).await;
    let given = token(&ada, &[PULL]).await;
    let read = || bearer(house.anyone().get(&app("manifests/v1")), &given);
    read().await.expect(200);
    read().await.expect(200);
    let (text, mac) = given.split_once('.').expect("two parts");
    for forged in [format!("{text}.{}", "A".repeat(mac.len())), format!("{text}."), format!("x{given}")] {
        refused(bearer(house.anyone().get(&app("manifests/v1")), &forged).await, 401, "UNAUTHORIZED");
    }
    house.clock.advance(901_000);
    refused(read().await, 401, "UNAUTHORIZED");
}

#[tokio::test]
async fn a_withdrawn_key_ends_its_tokens_at_once() {
    let (house, ada) = with_images().await;
    ada.patch("/repos/ada/img").json(json!({ "private": true })).await.expect(200);
    push(&ada, "ada/img/app", "v1", &["layer"]).await;
    let key = house.key(&ada, "red", json!({})).await;
    house.grant("ada/img", "red", "r").await;
    let (of_user, of_key) = (token(&ada, &[PULL]).await, token(&key, &[PULL]).await);
    let read = |token: &str| bearer(house.anyone().get(&app("manifests/v1")), token);
    for token in [&of_user, &of_key, &of_user, &of_key] {
        read(token).await.expect(200);
    }
    ada.delete("/users/ada/access_keys/red").await.expect(200);
    refused(read(&of_key).await, 401, "UNAUTHORIZED");
    read(&of_user).await.expect(200);
    ada.post("/users/ada/api_key").await.expect(201);
    refused(read(&of_user).await, 401, "UNAUTHORIZED");
}

#[tokio::test]
async fn a_mount_needs_a_token_for_both_images() {
    let (house, ada) = with_images().await;
    push_blob(&ada, "ada/img/app", "layer").await;
    let at = format!("//v2/ada/img/b/blobs/uploads/?mount={}&from=ada/img/app", digest("layer"));
    let one = token(&ada, &["repository:ada/img/b:pull,push"]).await;
    bearer(house.anyone().post(&at), &one).await.expect(202);
    let two = token(&ada, &["repository:ada/img/b:pull,push", PULL]).await;
    bearer(house.anyone().post(&at), &two).await.expect(201);
}
