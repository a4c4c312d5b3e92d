//! What a token may not be, and who may not make one.

use serde_json::json;

use super::{create, id, token, with_ada};

#[tokio::test]
async fn wrong_fields_are_named() {
    let (_house, ada) = with_ada().await;
    let cases = [
        (
            json!({"name": "", "scopes": ["read"]}),
            "name: it must have 1 to 100 printable characters, without blanks around them",
        ),
        (json!({"name": "a", "scopes": []}), "scopes: name at least one of read, publish, manage, admin"),
        (json!({"name": "a", "scopes": ["write"]}), "scopes: 'write' is not one of read, publish, manage, admin"),
        (
            json!({"name": "a", "scopes": ["read"], "expiry": 1}),
            "expiry: it must be a future time, in milliseconds since 1970",
        ),
        (
            json!({"name": "a", "scopes": ["read"], "cidrs": ["here"]}),
            "cidrs: 'here' is not a network such as 10.0.0.0/8 or 2001:db8::/32",
        ),
        (
            json!({"name": "a", "scopes": ["read"], "resources": ["nobody"]}),
            "resources: 'nobody' is not a subject, repository or package",
        ),
        (
            json!({"name": "a", "scopes": ["read"], "resources": ["ada/none"]}),
            "resources: 'ada/none' is not a subject, repository or package",
        ),
        (
            json!({"name": "a", "scopes": ["read"], "resources": ["ada/tools/none"]}),
            "resources: 'ada/tools/none' is not a subject, repository or package",
        ),
        (
            json!({"name": "a", "scopes": ["read"], "resources": ["a/b/c/d"]}),
            "resources: 'a/b/c/d' is not a subject, repository or package",
        ),
    ];
    for (fields, message) in cases {
        ada.post("/users/ada/tokens").json(fields).await.refuses(400, message);
    }
}

#[tokio::test]
async fn names_are_unique_and_there_are_a_hundred() {
    let (house, ada) = with_ada().await;
    create(&ada, json!({"name": "0", "scopes": ["read"]})).await;
    let again = ada.post("/users/ada/tokens").json(json!({"name": "0", "scopes": ["read"]}));
    again.await.refuses(409, "Token '0' already exists");
    let last = create(&ada, json!({"name": "1", "scopes": ["read"]})).await;
    let rename = ada.patch(&format!("/users/ada/tokens/{}", id(&last))).json(json!({"name": "0"}));
    rename.await.refuses(409, "Token '0' already exists");
    for number in 2..100 {
        create(&ada, json!({"name": number.to_string(), "scopes": ["read"]})).await;
    }
    let one_more = ada.post("/users/ada/tokens").json(json!({"name": "100", "scopes": ["read"]}));
    one_more.await.refuses(400, "name: there are 100 tokens already; revoke one first");
    let bob = house.user("bob").await;
    create(&bob, json!({"name": "0", "scopes": ["read"]})).await;
}

#[tokio::test]
async fn nobody_makes_a_token_for_another_person() {
    let (house, ada) = with_ada().await;
    let bob = house.user("bob").await;
    let made = create(&ada, json!({"name": "ci", "scopes": ["read"]})).await;
    let path = format!("/users/ada/tokens/{}", id(&made));
    for other in [&bob, &house.admin()] {
        let new = other.post("/users/ada/tokens").json(json!({"name": "x", "scopes": ["read"]}));
        new.await.refuses(403, "You may not do this");
        other.patch(&path).json(json!({"scopes": ["admin"]})).await.refuses(403, "You may not do this");
        other.post(&format!("{path}/rotate")).await.refuses(403, "You may not do this");
    }
    bob.get("/users/ada/tokens").await.refuses(403, "You may not do this");
    bob.delete(&path).await.refuses(403, "You may not do this");
    // The site's administrator sees tokens and can revoke them.
    assert_eq!(house.admin().get("/users/ada/tokens").await.expect(200).json()[0]["name"], "ci");
    house.admin().delete(&path).await.expect(200);
    create(&house.admin(), json!({"name": "own", "scopes": ["admin"]})).await;
}

#[tokio::test]
async fn a_token_makes_none_that_may_more_than_itself() {
    let (house, ada) = with_ada().await;
    let whole = create(&ada, json!({"name": "whole", "scopes": ["admin"]})).await;
    for scope in ["read", "publish", "manage"] {
        let weak = token(&house, &ada, scope, scope, json!(null)).await;
        let needs = "The token needs the scope 'admin'";
        weak.get("/users/ada/tokens").await.refuses(403, needs);
        weak.post("/users/ada/tokens").json(json!({"name": "x", "scopes": ["read"]})).await.refuses(403, needs);
        weak.delete(&format!("/users/ada/tokens/{}", id(&whole))).await.refuses(403, needs);
    }
    let part = token(&house, &ada, "part", "admin", json!(["ada"])).await;
    let more = "A token may not create or change a token with more rights than its own";
    let new = |fields| part.post("/users/ada/tokens").json(fields);
    new(json!({"name": "x", "scopes": ["read"]})).await.refuses(403, more);
    new(json!({"name": "x", "scopes": ["admin"], "resources": ["ada/vault"]})).await.expect(201);
    for call in [
        part.patch(&format!("/users/ada/tokens/{}", id(&whole))).json(json!({"name": "mine"})),
        part.post(&format!("/users/ada/tokens/{}/rotate", id(&whole))),
        part.delete(&format!("/users/ada/tokens/{}", id(&whole))),
    ] {
        call.await.refuses(403, more);
    }
    let credentials = "A token for some resources may not replace credentials";
    part.post("/users/ada/api_key").await.refuses(403, credentials);
    part.patch("/users/ada").json(json!({"password": "analytical engine"})).await.refuses(403, credentials);
    let short = create(&ada, json!({"name": "short", "scopes": ["admin"], "expiry": 4_102_444_800_000_i64})).await;
    let short = super::holder(&house, "ada", &short);
    short.post("/users/ada/tokens").json(json!({"name": "y", "scopes": ["read"]})).await.refuses(403, more);
}
