//! The life of a token: made, listed, changed, rotated, revoked.

use model::api_key::ApiKey;
use serde_json::json;

use super::{create, holder, id, with_ada};

const WRONG: &str = "The user name or the API key is wrong";

#[tokio::test]
async fn a_token_is_shown_once_and_listed_without_its_secret() {
    let (house, ada) = with_ada().await;
    let fields = json!({"name": "ci", "scopes": ["read", "publish"], "resources": ["ada/vault", "ada/tools/cat"],
        "expiry": 4_102_444_800_000_i64, "cidrs": ["127.0.0.1", "10.0.0.0/8"]});
    let answer = ada.post("/users/ada/tokens").json(fields).await.expect(201);
    assert_eq!(answer.header("cache-control"), "no-store");
    let made = answer.json();
    let secret = made["token"].as_str().expect("a token");
    assert!(secret.starts_with("pht_") && ApiKey::presented(secret).is_well_formed());
    let listed = ada.get("/users/ada/tokens").await.expect(200);
    assert!(!listed.text().contains("pht_"));
    let shown = listed.text().replace(id(&made), "(id)");
    insta::assert_snapshot!(shown, @r#"[{"id":"(id)","name":"ci","scopes":["read","publish"],"resources":["ada/tools/cat","ada/vault"],"expiry":4102444800000,"cidrs":["127.0.0.1/32","10.0.0.0/8"],"created":"2026-01-15T12:00:00.000Z","last_used":null,"last_used_from":null,"last_used_by":null}]"#);
    let robot = holder(&house, "ada", &made);
    let own = robot.get("/token").await.expect(200).text().replace(id(&made), "(id)");
    insta::assert_snapshot!(own, @r#"{"subject":"ada","id":"(id)","name":"ci","scopes":["read","publish"],"resources":["ada/tools/cat","ada/vault"],"expiry":4102444800000}"#);
    let key = ada.get("/token").await.expect(200).text();
    insta::assert_snapshot!(key, @r#"{"subject":"ada","id":null,"scopes":["admin"],"resources":null,"expiry":null}"#);
    house.anyone().get("/token").await.refuses(401, "This resource requires authentication");
}

#[tokio::test]
async fn a_use_is_recorded_with_its_address_and_client() {
    let (house, ada) = with_ada().await;
    let made = create(&ada, json!({"name": "ci", "scopes": ["read"]})).await;
    let robot = holder(&house, "ada", &made);
    house.clock.advance(5_000);
    robot.get("/repos/ada/vault").header("user-agent", "robot/1").await.expect(200);
    house.flush().await;
    let listed = ada.get("/users/ada/tokens").await.expect(200).json();
    assert_eq!(listed[0]["last_used"], "2026-01-15T12:00:05.000Z");
    assert_eq!((&listed[0]["last_used_from"], &listed[0]["last_used_by"]), (&json!("127.0.0.1"), &json!("robot/1")));
    // A download that is sent from memory is a use as well.
    for _ in 0..3 {
        house.clock.advance(20_000);
        robot.download("/ada/vault/cat.tar").header("user-agent", "robot/1").await.expect(200);
    }
    house.flush().await;
    let listed = ada.get("/users/ada/tokens").await.expect(200).json();
    assert_eq!(listed[0]["last_used"], "2026-01-15T12:01:05.000Z");
}

#[tokio::test]
async fn a_revoked_token_stops_at_once_in_every_use() {
    let (house, ada) = with_ada().await;
    let made = create(&ada, json!({"name": "ci", "scopes": ["publish"]})).await;
    let robot = holder(&house, "ada", &made);
    for _ in 0..3 {
        robot.get("/repos/ada/vault").await.expect(200);
        robot.download("/ada/vault/cat.tar").await.expect(200);
        robot.put("/content/ada/vault/cat/1.0/dog.tar").body("woof").await.expect(201);
    }
    ada.delete(&format!("/users/ada/tokens/{}", id(&made))).await.refuses(200, "success");
    robot.get("/repos/ada/vault").await.refuses(401, WRONG);
    robot.download("/ada/vault/cat.tar").await.refuses(401, WRONG);
    robot.put("/content/ada/vault/cat/1.0/dog.tar").body("woof").await.refuses(401, WRONG);
    let gone = format!("Token '{}' was not found", id(&made));
    ada.delete(&format!("/users/ada/tokens/{}", id(&made))).await.refuses(404, &gone);
    ada.delete("/users/ada/tokens/none").await.refuses(404, "Token 'none' was not found");
}

#[tokio::test]
async fn a_rotation_may_overlap() {
    let (house, ada) = with_ada().await;
    let first = create(&ada, json!({"name": "ci", "scopes": ["read"]})).await;
    let rotate = format!("/users/ada/tokens/{}/rotate", id(&first));
    let second = ada.post(&rotate).json(json!({"overlap_secs": 60})).await.expect(201).json();
    assert_eq!(id(&first), id(&second));
    let (old, new) = (holder(&house, "ada", &first), holder(&house, "ada", &second));
    for robot in [&old, &new] {
        robot.download("/ada/vault/cat.tar").await.expect(200);
    }
    house.clock.advance(60_000);
    old.get("/repos/ada/vault").await.refuses(401, "The token has expired");
    old.download("/ada/vault/cat.tar").await.refuses(401, "The token has expired");
    new.get("/repos/ada/vault").await.expect(200);
    let third = ada.post(&rotate).await.expect(201).json();
    new.get("/repos/ada/vault").await.refuses(401, WRONG);
    holder(&house, "ada", &third).get("/repos/ada/vault").await.expect(200);
    for bad in [-1, 2_592_001] {
        let refused = ada.post(&rotate).json(json!({ "overlap_secs": bad })).await;
        refused.refuses(400, "overlap_secs: it must be a number from 0 to 2592000");
    }
}

#[tokio::test]
async fn a_change_takes_effect_at_once() {
    let (house, ada) = with_ada().await;
    let made = create(&ada, json!({"name": "ci", "scopes": ["read"]})).await;
    let (robot, path) = (holder(&house, "ada", &made), format!("/users/ada/tokens/{}", id(&made)));
    let upload = || robot.put("/content/ada/tools/cat/1.0/dog.tar").body("woof");
    upload().await.refuses(403, "The token needs the scope 'publish'");
    ada.patch(&path).json(json!({"scopes": ["publish"], "name": "builds"})).await.refuses(200, "success");
    upload().await.expect(201);
    ada.patch(&path).json(json!({"resources": ["ada/vault"]})).await.expect(200);
    upload().await.refuses(401, "This resource requires authentication");
    ada.patch(&path).json(json!({"resources": null, "expiry": 1_768_478_401_000_i64})).await.expect(200);
    upload().await.expect(201);
    house.clock.advance(1_000);
    upload().await.refuses(401, "The token has expired");
    ada.patch(&path).json(json!({"expiry": null, "cidrs": ["10.0.0.0/8"]})).await.expect(200);
    upload().await.refuses(401, "The token may not be used from this network");
    ada.patch(&path).json(json!({"cidrs": null})).await.expect(200);
    upload().await.expect(201);
}
