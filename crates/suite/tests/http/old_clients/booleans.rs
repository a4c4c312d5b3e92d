//! Booleans sent as strings.

use serde_json::{Value, json};

use crate::content::{cat, upload, upload_published};

/// Returns the value of a field after it was sent to a path.
async fn sent(by: &suite::Person, path: &str, field: &str, value: Value) -> Value {
    by.patch(path).json(json!({ field: value })).await.expect(200);
    by.get(path).await.expect(200).json()[field].clone()
}

#[tokio::test]
async fn repositories_packages_and_versions_take_texts_for_booleans() {
    let (_house, ada) = cat().await;
    ada.post("/packages/ada/tools/cat/versions").json(json!({"name": "1.0"})).await.expect(201);
    for (path, field) in [
        ("/repos/ada/tools", "private"),
        ("/repos/ada/tools", "gpg_sign_metadata"),
        ("/repos/ada/tools", "gpg_sign_files"),
        ("/repos/ada/tools", "gpg_use_owner_key"),
        ("/packages/ada/tools/cat", "public_download_numbers"),
        ("/packages/ada/tools/cat/versions/1.0", "github_use_tag_release_notes"),
    ] {
        for (text, value) in [("true", true), ("false", false), ("True", true), ("False", false)] {
            assert_eq!(sent(&ada, path, field, json!(text)).await, json!(value), "{field}");
        }
        ada.patch(path).json(json!({ field: "yes" })).await.expect(400);
        ada.patch(path).json(json!({ field: "" })).await.expect(400);
        ada.patch(path).json(json!({ field: 1 })).await.expect(400);
    }
}

#[tokio::test]
async fn new_things_take_texts_for_booleans() {
    let (house, ada) = cat().await;
    let made = ada.post("/repos/ada/vault").json(json!({"private": "true"})).await.expect(201).json();
    assert_eq!(made["private"], true);
    house.anyone().get("/repos/ada/vault").await.expect(404);
    let package = json!({"name": "dog", "public_download_numbers": "true"});
    let made = ada.post("/packages/ada/tools").json(package).await.expect(201).json();
    assert_eq!(made["public_download_numbers"], true);
    ada.post("/users/ada/access_keys").json(json!({"id": "k", "api_only": "true"})).await.expect(201);
    assert_eq!(ada.get("/users/ada/access_keys/k").await.expect(200).json()["api_only"], true);
}

#[tokio::test]
async fn teams_agreements_files_and_publishes_take_texts_for_booleans() {
    let (house, ada) = cat().await;
    ada.post("/orgs").json(json!({"name": "acme"})).await.expect(201);
    house.admin().put("/subjects/acme/plan").json(json!({"plan": "enterprise"})).await.expect(200);
    let team = json!({"name": "devs", "allow_repo_creation": "true"});
    let made = ada.post("/orgs/acme/teams").json(team).await.expect(201).json();
    assert_eq!(made["allow_repo_creation"], true);
    ada.patch("/orgs/acme/teams/devs").json(json!({"allow_repo_creation": "false"})).await.expect(200);
    assert_eq!(ada.get("/orgs/acme/teams/devs").await.expect(200).json()["allow_repo_creation"], false);
    ada.post("/products/acme").json(json!({"name": "suite"})).await.expect(201);
    let eula = json!({"name": "terms", "syntax": "plain_text", "content": "Be kind.", "default": "true"});
    assert_eq!(ada.post("/products/acme/suite/eulas").json(eula).await.expect(201).json()["default"], true);
    upload_published(&ada, "ada/tools/cat/1.0/cat.bin", "meow").await;
    ada.put("/file_metadata/ada/tools/cat.bin").json(json!({"list_in_downloads": "true"})).await.expect(200);
    upload(&ada, "ada/tools/cat/1.0/more.bin", "purr").await;
    let discarded = ada.post("/content/ada/tools/cat/1.0/publish").json(json!({"discard": "true"})).await.expect(200);
    assert_eq!(discarded.json(), json!({"files": 1}));
}

#[tokio::test]
async fn attributes_that_are_said_to_be_booleans_take_texts() {
    let (_house, ada) = cat().await;
    let given = json!([
        {"name": "stable", "values": ["true", "False"], "type": "boolean"},
        {"name": "word", "values": ["true"]},
    ]);
    let kept = ada.post("/packages/ada/tools/cat/attributes").json(given).await.expect(200).json();
    assert_eq!((&kept[0]["values"], &kept[1]["values"]), (&json!([true, false]), &json!(["true"])));
    let wrong = json!([{"name": "stable", "values": ["yes"], "type": "boolean"}]);
    ada.post("/packages/ada/tools/cat/attributes").json(wrong).await.expect(400);
}
