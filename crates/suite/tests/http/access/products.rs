//! Products: their packages, who manages them, and what the plan allows.

use serde_json::{Value, json};
use suite::{Person, TestHouse};

use crate::{
    access::acme::Cast,
    catalogue::{fields, new_package, new_private_repo, new_repo},
};

const SUITE: &str = "/products/ada/suite";

/// Starts a house with the packages `ada/tools/cat` and `ada/secret/dog`, and ada, who has the highest plan.
pub(crate) async fn pets() -> (TestHouse, Person) {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    house.admin().put("/subjects/ada/plan").json(json!({"plan": "enterprise"})).await.expect(200);
    new_repo(&ada, "ada/tools").await;
    new_package(&ada, "ada/tools", "cat").await;
    new_private_repo(&ada, "ada/secret").await;
    new_package(&ada, "ada/secret", "dog").await;
    (house, ada)
}

async fn new_product(by: &Person, body: Value) {
    by.post("/products/ada").json(body).await.expect(201);
}

#[tokio::test]
async fn a_product_is_answered_with_every_field() {
    let (_house, ada) = pets().await;
    let body = json!({
        "name": "suite", "display_name": "The Suite", "desc": "All pets", "website_url": "https://example.org",
        "vcs_url": "https://example.org/git", "packages": ["secret/dog", "tools/cat", "secret/dog"], "sign_url_expiry": 3600,
    });
    let created = ada.post("/products/ada").json(body).await.expect(201);
    let shown = ada.get(SUITE).await.expect(200);
    assert_eq!(shown.text(), created.text());
    assert_eq!(
        fields(&shown),
        r#"{"name":"suite",
"owner":"ada",
"display_name":"The Suite",
"desc":"All pets",
"website_url":"https://example.org",
"vcs_url":"https://example.org/git",
"packages":["secret/dog","tools/cat"],
"sign_url_expiry":3600,
"created":"2026-01-15T12:00:00.000Z"}"#
    );
}

#[tokio::test]
async fn products_are_listed_by_name() {
    let (_house, ada) = pets().await;
    assert_eq!(ada.get("/products/ada").await.expect(200).json(), json!([]));
    new_product(&ada, json!({"name": "suite", "display_name": "The Suite"})).await;
    new_product(&ada, json!({"name": "basic"})).await;
    let listed = json!([{"name": "basic", "display_name": "basic"}, {"name": "suite", "display_name": "The Suite"}]);
    assert_eq!(ada.get("/products/ada").await.expect(200).json(), listed);
    ada.post("/products/ada").json(json!({"name": "Suite"})).await.refuses(409, "Product 'Suite' already exists");
}

#[tokio::test]
async fn a_change_leaves_what_it_does_not_name() {
    let (_house, ada) = pets().await;
    new_product(&ada, json!({"name": "suite", "desc": "All", "website_url": "https://a", "packages": ["tools/cat"]}))
        .await;
    ada.patch(SUITE).json(json!({"display_name": "S", "website_url": null})).await.refuses(200, "success");
    let shown = ada.get(SUITE).await.expect(200).json();
    assert_eq!(
        (&shown["display_name"], &shown["desc"], &shown["website_url"]),
        (&json!("S"), &json!("All"), &json!(null))
    );
    assert_eq!(shown["packages"], json!(["tools/cat"]));
    ada.patch(SUITE).json(json!({"packages": ["secret/dog"]})).await.refuses(200, "success");
    assert_eq!(ada.get(SUITE).await.expect(200).json()["packages"], json!(["secret/dog"]));
    ada.delete("/packages/ada/secret/dog").await.expect(200);
    assert_eq!(ada.get(SUITE).await.expect(200).json()["packages"], json!([]));
    ada.delete(SUITE).await.refuses(200, "success");
    ada.get(SUITE).await.refuses(404, "Product 'suite' was not found");
    ada.delete(SUITE).await.refuses(404, "Product 'suite' was not found");
    ada.patch(SUITE).json(json!({})).await.refuses(404, "Product 'suite' was not found");
}

#[tokio::test]
async fn bad_input_is_named_and_nothing_is_kept() {
    let (house, ada) = pets().await;
    let bob = house.user("bob").await;
    new_repo(&bob, "bob/lib").await;
    new_package(&bob, "bob/lib", "bee").await;
    ada.put("/repository/ada/tools/links/bob/lib/bee").await.expect(201);
    let unknown = |name: &str| (json!([name]), format!("packages: Package '{name}' does not exist"));
    // A package of another owner is not ada's, even if she links it.
    for (packages, message) in [
        unknown("tools/none"),
        unknown("none/cat"),
        unknown("cat"),
        unknown(""),
        unknown("lib/bee"),
        unknown("tools/bee"),
        unknown("tools/cat/1"),
    ] {
        ada.post("/products/ada").json(json!({"name": "suite", "packages": packages})).await.refuses(400, &message);
    }
    for (field, value) in [
        ("name", json!("a b")),
        ("display_name", json!("a\nb")),
        ("desc", json!("\u{7}")),
        ("website_url", json!("a\nb")),
        ("vcs_url", json!(7)),
        ("packages", json!("tools/cat")),
        ("packages", json!(vec!["tools/cat"; 101])),
        ("sign_url_expiry", json!(0)),
        ("sign_url_expiry", json!(31_536_001)),
    ] {
        let mut body = json!({"name": "suite"});
        body[field] = value;
        let message = ada.post("/products/ada").json(body).await.expect(400).message();
        assert!(message.starts_with(field), "{message}");
    }
    ada.post("/products/ada").json(json!({})).await.expect(400);
    assert_eq!(ada.get("/products/ada").await.expect(200).json(), json!([]));
}

#[tokio::test]
async fn only_those_who_manage_the_owner_see_its_products() {
    let cast = Cast::start().await;
    cast.org("acme").await;
    cast.site_admin.put("/subjects/acme/plan").json(json!({"plan": "enterprise"})).await.expect(200);
    let mut seen = Vec::new();
    for (name, actor) in cast.actors() {
        let made = actor.post("/products/acme").json(json!({"name": "suite"})).await.status;
        let listed = actor.get("/products/acme").await.status;
        let shown = actor.get("/products/acme/suite").await.status;
        let edited = actor.patch("/products/acme/suite").json(json!({"desc": "x"})).await.status;
        let eulas = actor.get("/products/acme/suite/eulas").await.status;
        let signed = actor.get("/products/acme/suite/signed_eulas").await.status;
        let deleted = actor.delete("/products/acme/suite").await.status;
        seen.push((name, [made, listed, shown, edited, eulas, signed, deleted]));
    }
    let (may, may_not) = ([201, 200, 200, 200, 200, 200, 200], [403; 7]);
    assert_eq!(seen, [("owner", may), ("admin", may), ("member", may_not), ("stranger", may_not), ("site admin", may)]);
    for path in ["/products/acme", "/products/acme/suite", "/products/none", "/products/acme/suite/eulas/x"] {
        cast.house.anyone().get(path).await.expect(401);
    }
    cast.owner.get("/products/none").await.refuses(404, "Subject 'none' was not found");
}

#[tokio::test]
async fn products_need_the_plan_and_deleting_one_does_not() {
    let (house, ada) = pets().await;
    new_product(&ada, json!({"name": "suite"})).await;
    house.admin().put("/subjects/ada/plan").json(json!({"plan": "premium"})).await.expect(200);
    let refused = "This needs the plan 'enterprise' or more";
    ada.post("/products/ada").json(json!({"name": "more"})).await.refuses(403, refused);
    ada.patch(SUITE).json(json!({"desc": "x"})).await.refuses(403, refused);
    let eula = json!({"name": "x", "syntax": "plain_text", "content": "x"});
    ada.post("/products/ada/suite/eulas").json(eula).await.refuses(403, refused);
    ada.get(SUITE).await.expect(200);
    ada.delete(SUITE).await.expect(200);
}

#[tokio::test]
async fn every_change_of_a_product_is_in_the_audit_log() {
    let (house, ada) = pets().await;
    new_product(&ada, json!({"name": "suite"})).await;
    ada.patch(SUITE).json(json!({"desc": "x"})).await.expect(200);
    ada.delete(SUITE).await.expect(200);
    let entries = house.admin().get("/audit").await.expect(200).json();
    let actions: Vec<&Value> = (0..3).map(|place| &entries[place]["action"]).collect();
    assert_eq!(actions, ["product.delete", "product.edit", "product.create"]);
    assert_eq!(entries[0]["target"], "ada/suite");
}
