//! Unusual spellings of parameters and bodies.

use serde_json::{Value, json};
use suite::TestHouse;

use crate::{
    catalogue::{new_package, new_repo},
    content::{cat, published, read, upload},
};

#[tokio::test]
async fn flags_in_the_query_may_be_separated_by_semicolons() {
    let (house, ada) = cat().await;
    let path = "/content/ada/tools/cat/1.0/cat.bin";
    upload(&ada, "ada/tools/cat/1.0/cat.bin", "meow").await;
    ada.put(&format!("{path}?publish=1;override=1")).body("purr").await.expect(201);
    assert_eq!(read(&house.anyone(), "/ada/tools/cat.bin").await, "purr");
    ada.put(&format!("{path}?override=0;override=1")).body("hiss").await.expect(400);
    ada.put(&format!("{path}?override=1;color=red")).body("hiss").await.expect(400);
    ada.put(&format!("{path}?override=1;publish=2")).body("hiss").await.expect(400);
    assert_eq!(read(&house.anyone(), "/ada/tools/cat.bin").await, "purr");
}

#[tokio::test]
async fn old_headers_may_be_booleans_or_empty() {
    let (house, ada) = cat().await;
    let put = |name: &str| ada.put(&format!("/content/ada/tools/cat/1.0/{name}")).body("meow");
    put("a.bin").header("X-Bintray-Publish", "true").header("X-Bintray-Override", "").await.expect(201);
    put("b.bin").header("X-Bintray-Publish", "false").header("X-Bintray-Explode", "").await.expect(201);
    assert_eq!(published(&house.anyone(), "ada/tools/cat").await, ["a.bin"]);
    put("c.bin").header("X-Bintray-Publish", "yes").await.refuses(400, "publish: 'yes' is not 0 or 1");
    // The contract's own names accept only the contract's values.
    put("c.bin").header("X-Service-Publish", "true").await.refuses(400, "publish: 'true' is not 0 or 1");
    put("c.bin").header("X-Service-Override", "").await.refuses(400, "override: '' is not 0 or 1");
}

#[tokio::test]
async fn without_the_old_names_nothing_is_read_into_a_query() {
    let house = TestHouse::start_with(&[("old_client_names", "false")]).await;
    let ada = house.user("ada").await;
    new_repo(&ada, "ada/tools").await;
    new_package(&ada, "ada/tools", "cat").await;
    let put = ada.put("/content/ada/tools/cat/1.0/cat.bin?publish=1;override=1").body("meow");
    put.await.refuses(400, "publish: '1;override=1' is not 0 or 1");
}

#[tokio::test]
async fn an_empty_date_of_release_is_none() {
    let (_house, ada) = cat().await;
    let versions = "/packages/ada/tools/cat/versions";
    let made = ada.post(versions).json(json!({"name": "1.0", "desc": "", "released": ""})).await.expect(201).json();
    assert_eq!(made["released"], Value::Null);
    let one = format!("{versions}/1.0");
    ada.patch(&one).json(json!({"released": "2026-01-15"})).await.expect(200);
    ada.patch(&one).json(json!({"desc": "x", "released": ""})).await.expect(200);
    let shown = ada.get(&one).await.expect(200).json();
    assert_eq!((&shown["desc"], &shown["released"]), (&json!("x"), &json!("2026-01-15T00:00:00.000Z")));
    ada.patch(&one).json(json!({"released": " "})).await.expect(400);
}

#[tokio::test]
async fn a_trailing_comma_is_told_with_its_place() {
    let (_house, ada) = cat().await;
    let sent = ada.post("/packages/ada/tools").body("{\"name\": \"dog\",}");
    sent.await.refuses(400, "The body is not valid JSON: trailing comma at line 1 column 16");
    let list = ada.post("/packages/ada/tools").body("{\"name\": \"dog\", \"labels\": [\"a\",]}");
    assert!(list.await.expect(400).message().contains("trailing comma at line 1"));
}

#[tokio::test]
async fn changes_of_keys_entitlements_and_restrictions_answer_with_the_object() {
    let (house, ada) = cat().await;
    house.admin().put("/subjects/ada/plan").json(json!({"plan": "enterprise"})).await.expect(200);
    ada.post("/users/ada/access_keys").json(json!({"id": "client"})).await.expect(201);
    let key = "/users/ada/access_keys/client";
    let answered = ada.patch(key).json(json!({"max_downloads": 5})).await.expect(200).json();
    assert_eq!(answered["max_downloads"], 5);
    assert_eq!(answered, ada.get(key).await.expect(200).json());

    let all = "/repos/ada/tools/entitlements";
    let made = ada.post(all).json(json!({"access": "r", "access_keys": ["client"]})).await.expect(201).json();
    let one = format!("{all}/{}", made["id"].as_str().expect("an id"));
    let answered = ada.patch(&one).json(json!({"access": "rw", "tags_add": ["x"]})).await.expect(200).json();
    assert_eq!((&answered["access"], &answered["tags"]), (&json!("rw"), &json!(["x"])));
    assert_eq!(answered, ada.get(&one).await.expect(200).json());

    let rules = |kind: &str| format!("/repos/ada/tools/{kind}_restrictions");
    let geo = ada.put(&rules("geo")).json(json!({"white_list": ["SE", "DE", "DE"]})).await.expect(200).json();
    assert_eq!(geo, json!({"white_list": ["DE", "SE"], "black_list": []}));
    let ip = ada.put(&rules("ip")).json(json!({"black_cidrs": ["10.0.0.0/8"]})).await.expect(200).json();
    assert_eq!(ip, json!({"white_cidrs": [], "black_cidrs": ["10.0.0.0/8"]}));
    let change = json!({"add": {"black_cidrs": ["::1"]}, "remove": {"black_cidrs": ["10.0.0.0/8"]}});
    let ip = ada.patch(&rules("ip")).json(change).await.expect(200).json();
    assert_eq!(ip, json!({"white_cidrs": [], "black_cidrs": ["::1/128"]}));
    assert_eq!(ip, ada.get(&rules("ip")).await.expect(200).json());
}

#[tokio::test]
async fn an_operator_allows_further_licences() {
    let house = TestHouse::start_with(&[("licenses.extra", "BUSL-1.1, Unlicense")]).await;
    let ada = house.user("ada").await;
    new_repo(&ada, "ada/tools").await;
    let dog = json!({"name": "dog", "licenses": ["BUSL-1.1", "MIT"]});
    let made = ada.post("/packages/ada/tools").json(dog).await.expect(201).json();
    assert_eq!(made["licenses"], json!(["BUSL-1.1", "MIT"]));
    ada.patch("/packages/ada/tools/dog").json(json!({"licenses": ["busl-1.1"]})).await.expect(400);
    let listed = house.anyone().get("/licenses/oss_licenses").await.expect(200).json();
    let names: Vec<&str> = listed.as_array().expect("a list").iter().filter_map(|one| one["name"].as_str()).collect();
    assert_eq!((names.len(), &names[88..]), (90, &["BUSL-1.1", "Unlicense"][..]));
}
