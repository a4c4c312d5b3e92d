//! What each scope allows.

use serde_json::{Value, json};
use suite::Person;

use super::{token, with_ada};

const SCOPES: [&str; 4] = ["read", "publish", "manage", "admin"];

/// Calls, and the scope that each needs.
fn calls(of: &Person) -> Vec<(suite::Call, &'static str)> {
    vec![
        (of.get("/repos/ada/vault"), "read"),
        (of.download("/ada/vault/cat.tar"), "read"),
        (of.get("/users/ada"), "read"),
        (of.get("/search/packages?name=cat"), "read"),
        (of.post("/search/attributes/ada/vault").json(json!([{"a": 1}])), "read"),
        (of.put("/content/ada/vault/cat/1.0/new.tar?publish=1").body("new"), "publish"),
        (of.post("/content/ada/vault/cat/1.0/publish"), "publish"),
        (of.get("/packages/ada/vault/cat/files?include_unpublished=1"), "publish"),
        (of.patch("/packages/ada/vault/cat").json(json!({"desc": "x"})), "manage"),
        (of.post("/packages/ada/vault/cat/attributes").json(json!([{"name": "a", "values": [1]}])), "manage"),
        (of.get("/webhooks/ada/vault/cat/deliveries"), "manage"),
        (of.patch("/repos/ada/vault").json(json!({"desc": "x"})), "manage"),
        (of.get("/users/ada/access_keys"), "manage"),
        (of.get("/repos/ada/vault/entitlements"), "manage"),
        (of.post("/signed_url/ada/vault/cat.tar").json(json!({"valid_for_secs": 60})), "manage"),
        (of.patch("/users/ada").json(json!({"full_name": "Ada"})), "admin"),
        (of.get("/users/ada/tokens"), "admin"),
        (of.post("/orgs").json(json!({"name": "acme"})), "admin"),
    ]
}

#[tokio::test]
async fn a_missing_scope_is_named() {
    let (house, ada) = with_ada().await;
    let rank = |scope: &str| SCOPES.iter().position(|known| *known == scope);
    for scope in SCOPES {
        let robot = token(&house, &ada, scope, scope, Value::Null).await;
        for (number, (call, needed)) in calls(&robot).into_iter().enumerate() {
            let answer = call.await;
            if rank(scope) >= rank(needed) {
                assert!(answer.status < 300, "{scope}, call {number}: {}", answer.text());
            } else {
                answer.refuses(403, &format!("The token needs the scope '{needed}'"));
            }
        }
    }
}

#[tokio::test]
async fn what_is_hidden_from_the_owner_stays_missing() {
    let (house, _) = with_ada().await;
    let bob = house.user("bob").await;
    for scope in SCOPES {
        let robot = token(&house, &bob, scope, scope, Value::Null).await;
        robot.get("/repos/ada/vault").await.refuses(404, "Repository 'vault' was not found");
        robot.patch("/repos/ada/vault").json(json!({})).await.refuses(404, "Repository 'vault' was not found");
        let upload = robot.put("/content/ada/vault/cat/1.0/x.tar").body("x");
        upload.await.refuses(404, "Repository 'vault' was not found");
        robot.patch("/repos/ada/tools").json(json!({})).await.refuses(403, "You may not do this");
    }
}

#[tokio::test]
async fn what_is_not_published_is_for_tokens_that_publish() {
    let (house, ada) = with_ada().await;
    ada.put("/content/ada/tools/cat/1.0/draft.tar").body("draft").await.expect(201);
    let (reader, publisher) =
        (token(&house, &ada, "r", "read", Value::Null).await, token(&house, &ada, "p", "publish", Value::Null).await);
    reader.download("/ada/tools/draft.tar").await.expect(404);
    assert_eq!(publisher.download("/ada/tools/draft.tar").await.expect(200).text(), "draft");
}

#[tokio::test]
async fn a_token_loses_what_its_owner_loses() {
    let (house, ada) = with_ada().await;
    let bob = house.user("bob").await;
    ada.post("/orgs").json(json!({"name": "acme"})).await.expect(201);
    ada.post("/repos/acme/secret").json(json!({"private": true})).await.expect(201);
    ada.put("/orgs/acme/members/bob").json(json!({"type": "admin"})).await.expect(200);
    let whole = token(&house, &bob, "whole", "manage", Value::Null).await;
    let part = token(&house, &bob, "part", "manage", json!(["acme/secret"])).await;
    for robot in [&whole, &part] {
        robot.patch("/repos/acme/secret").json(json!({"desc": "x"})).await.expect(200);
    }
    ada.delete("/orgs/acme/members/bob").await.expect(200);
    for robot in [&whole, &part] {
        robot.get("/repos/acme/secret").await.refuses(404, "Repository 'secret' was not found");
    }
}
