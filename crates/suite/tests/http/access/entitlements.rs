//! Entitlements: created, shown, changed, listed and deleted, in each scope.

use serde_json::{Value, json};
use suite::{Person, TestHouse};

use crate::{
    access::{
        acme::Cast,
        grants::{entitle, new_key, new_product},
    },
    catalogue::{new_package, new_repo, new_version},
    content::cat,
};

const PLACES: [&str; 4] =
    ["/repos/ada/tools", "/packages/ada/tools/cat", "/packages/ada/tools/cat/versions/1.0", "/products/ada/suite"];

/// Creates ada's package `cat` with the version 1.0, her product `suite` of it, and her keys `red` and `blue`.
async fn places() -> (TestHouse, Person) {
    let (house, ada) = cat().await;
    new_version(&ada, "ada/tools/cat", "1.0").await;
    new_product(&house, "ada", "suite", &["tools/cat"]).await;
    new_key(&house, "ada", "red").await;
    new_key(&house, "ada", "blue").await;
    (house, ada)
}

#[tokio::test]
async fn an_entitlement_is_made_shown_changed_and_deleted_at_each_place() {
    let (_house, ada) = places().await;
    for place in PLACES {
        let body = json!({"access": "r", "access_keys": ["red"], "tags": ["b", "a", "b"]});
        let made = ada.post(&format!("{place}/entitlements")).json(body).await.expect(201).json();
        let id = made["id"].as_str().expect("an id").to_owned();
        assert_eq!(id.len(), 16);
        assert_eq!(made, json!({"id": id, "access": "r", "access_keys": ["red"], "tags": ["a", "b"]}), "{place}");
        let one = format!("{place}/entitlements/{id}");
        assert_eq!(ada.get(&one).await.expect(200).json(), made);
        let list = ada.get(&format!("{place}/entitlements")).await.expect(200);
        assert_eq!(list.json(), json!([{"id": id}]), "{place}");
        assert_eq!(list.header("x-rangelimit-total"), "1");
        let change = json!({
            "access": "rw", "access_keys_add": ["blue"], "access_keys_remove": ["red", "none"],
            "tags_add": ["c"], "tags_remove": ["a"],
        });
        ada.patch(&one).json(change).await.expect(200);
        let changed = ada.get(&one).await.expect(200).json();
        assert_eq!(changed, json!({"id": id, "access": "rw", "access_keys": ["blue"], "tags": ["b", "c"]}));
        ada.patch(&one).json(json!({"download_keys": ["red"], "tags": []})).await.expect(200);
        let changed = ada.get(&one).await.expect(200).json();
        assert_eq!(changed, json!({"id": id, "access": "rw", "access_keys": ["red"], "tags": []}));
        ada.delete(&one).await.refuses(200, "success");
        ada.get(&one).await.refuses(404, &format!("Entitlement '{id}' was not found"));
        assert_eq!(ada.get(&format!("{place}/entitlements")).await.expect(200).text(), "[]");
    }
}

#[tokio::test]
async fn an_entitlement_is_found_only_where_it_stands() {
    let (_house, ada) = places().await;
    let mut made = Vec::new();
    for place in PLACES {
        made.push((place, entitle(&ada, place, json!({"access": "r"})).await));
    }
    for (place, id) in &made {
        assert_eq!(ada.get(&format!("{place}/entitlements")).await.expect(200).json(), json!([{ "id": id }]));
        for other in PLACES.into_iter().filter(|other| other != place) {
            let elsewhere = format!("{other}/entitlements/{id}");
            let refusal = format!("Entitlement '{id}' was not found");
            ada.get(&elsewhere).await.refuses(404, &refusal);
            ada.patch(&elsewhere).json(json!({"access": "rw"})).await.refuses(404, &refusal);
            ada.delete(&elsewhere).await.refuses(404, &refusal);
        }
    }
    let (_, id) = &made[0];
    for name in [&id.to_uppercase(), &format!("0{id}"), "x", "-1", "+1"] {
        ada.get(&format!("/repos/ada/tools/entitlements/{name}")).await.expect(404);
    }
}

#[tokio::test]
async fn a_path_is_for_entitlements_of_repositories() {
    let (_house, ada) = places().await;
    let body = json!({"access": "r", "path": "/lib/1.0/"});
    let made = ada.post("/repos/ada/tools/entitlements").json(body.clone()).await.expect(201).json();
    assert_eq!(made["path"], "lib/1.0");
    let one = format!("/repos/ada/tools/entitlements/{}", made["id"].as_str().expect("an id"));
    ada.patch(&one).json(json!({"path": "lib/2.0"})).await.expect(200);
    assert_eq!(ada.get(&one).await.expect(200).json()["path"], "lib/2.0");
    ada.patch(&one).json(json!({"tags": ["x"]})).await.expect(200);
    assert_eq!(ada.get(&one).await.expect(200).json()["path"], "lib/2.0");
    ada.patch(&one).json(json!({"path": null})).await.expect(200);
    assert!(ada.get(&one).await.expect(200).json().get("path").is_none());
    for place in &PLACES[1..] {
        let refused = ada.post(&format!("{place}/entitlements")).json(body.clone()).await;
        refused.refuses(400, "path: only an entitlement of a repository has one");
        let id = entitle(&ada, place, json!({"access": "r"})).await;
        let refused = ada.patch(&format!("{place}/entitlements/{id}")).json(json!({"path": "lib"})).await;
        refused.refuses(400, "path: only an entitlement of a repository has one");
    }
}

#[tokio::test]
async fn bad_entitlements_are_refused_by_the_name_of_the_field() {
    let (house, ada) = places().await;
    house.user("eve").await;
    new_key(&house, "eve", "green").await;
    let id = entitle(&ada, PLACES[0], json!({"access": "r", "access_keys": ["red"]})).await;
    let one = format!("{}/entitlements/{id}", PLACES[0]);
    let before = ada.get(&one).await.expect(200).text();
    let many: Vec<String> = (0..101).map(|number| number.to_string()).collect();
    let cases = [
        (json!({"access": "w"}), "access: 'w' is not one of r, rw"),
        (json!({"access": "r", "access_keys": ["green"]}), "access_keys: Access key 'green' does not exist"),
        (json!({"access": "r", "download_keys": ["none"]}), "access_keys: Access key 'none' does not exist"),
        (
            json!({"access": "r", "access_keys": ["a b"]}),
            "access_keys: access key name 'a b' is not valid: it may hold letters, digits, '.', '_' and '-' only",
        ),
        (json!({"access": "r", "path": "a/../b"}), "path: file path 'a/../b' is not valid: it has a relative segment"),
        (json!({"access": "r", "path": ""}), "path: file path '' is not valid: it has an empty segment"),
        (json!({"access": "r", "path": "//"}), "path: file path '' is not valid: it has an empty segment"),
        (json!({"access": "r", "tags": [""]}), "tags: one is empty"),
        (json!({"access": "r", "tags": many}), "tags: there are more than 100"),
    ];
    for (body, refusal) in cases {
        ada.post("/repos/ada/tools/entitlements").json(body.clone()).await.refuses(400, refusal);
        ada.patch(&one).json(body).await.refuses(400, refusal);
    }
    let refused = ada.patch(&one).json(json!({"access_keys_add": ["none"]})).await;
    refused.refuses(400, "access_keys: Access key 'none' does not exist");
    for body in ["{}", r#"{"access": 1}"#, r#"{"access": "r", "access_keys": "red"}"#] {
        ada.post("/repos/ada/tools/entitlements").body(body).await.expect(400);
    }
    let both = r#"{"access": "r", "access_keys": [], "download_keys": []}"#;
    ada.post("/repos/ada/tools/entitlements").body(both).await.expect(400);
    assert_eq!(ada.get(&one).await.expect(200).text(), before);
    assert_eq!(ada.get("/repos/ada/tools/entitlements").await.expect(200).json(), json!([{ "id": id }]));
}

#[tokio::test]
async fn unknown_places_are_named() {
    let (_house, ada) = places().await;
    let get = |place: &str| ada.get(&format!("{place}/entitlements"));
    get("/repos/ada/none").await.refuses(404, "Repository 'none' was not found");
    get("/packages/ada/tools/none").await.refuses(404, "Package 'none' was not found");
    get("/packages/ada/tools/cat/versions/9").await.refuses(404, "Version '9' was not found");
    get("/products/ada/none").await.refuses(404, "Product 'none' was not found");
    get("/products/nobody/suite").await.refuses(404, "Subject 'nobody' was not found");
}

#[tokio::test]
async fn lists_have_pages_of_fifty() {
    let (_house, ada) = places().await;
    let mut ids = Vec::new();
    for _ in 0..52 {
        ids.push(entitle(&ada, PLACES[0], json!({"access": "r", "tags": ["x"]})).await);
    }
    let page = async |start: usize| ada.get(&format!("/repos/ada/tools/entitlements?start_pos={start}")).await;
    let names = |page: Value| -> Vec<String> {
        let name = |item: &Value| item["id"].as_str().expect("an id").to_owned();
        page.as_array().expect("a list").iter().map(name).collect()
    };
    let (first, second) = (page(0).await.expect(200), page(50).await.expect(200));
    assert_eq!([names(first.json()), names(second.json())].concat(), ids);
    assert_eq!((first.header("x-rangelimit-total"), first.header("x-rangelimit-endpos")), ("52", "49"));
    assert_eq!((second.header("x-rangelimit-startpos"), second.header("x-rangelimit-endpos")), ("50", "51"));
    assert_eq!(page(52).await.expect(200).text(), "[]");
    let search = async |start: usize| ada.get(&format!("/search/entitlements?tag=x&scope=ada&start_pos={start}")).await;
    let found = [names(search(0).await.expect(200).json()), names(search(50).await.expect(200).json())];
    assert_eq!(found.concat(), ids);
    ada.get("/repos/ada/tools/entitlements?start_pos=x").await.expect(400);
}

#[tokio::test]
async fn entitlements_are_managed_by_owners_and_need_their_plan() {
    let cast = Cast::start().await;
    cast.org("acme").await;
    new_repo(&cast.owner, "acme/tools").await;
    new_package(&cast.owner, "acme/tools", "cat").await;
    new_version(&cast.owner, "acme/tools/cat", "1.0").await;
    new_product(&cast.house, "acme", "suite", &["tools/cat"]).await;
    let anyone = cast.house.anyone();
    let mut table = String::new();
    for place in PLACES.map(|place| place.replace("/ada/", "/acme/")) {
        for who in [&cast.owner, &cast.admin, &cast.site_admin, &cast.member, &cast.stranger, &anyone] {
            let made = who.post(&format!("{place}/entitlements")).json(json!({"access": "r"})).await.status;
            let listed = who.get(&format!("{place}/entitlements")).await.status;
            table += &format!("{made} {listed}  ");
        }
        table += &format!("{place}\n");
    }
    insta::assert_snapshot!(table, @r"
    201 200  201 200  201 200  403 403  403 403  401 401  /repos/acme/tools
    201 200  201 200  201 200  403 403  403 403  401 401  /packages/acme/tools/cat
    201 200  201 200  201 200  403 403  403 403  401 401  /packages/acme/tools/cat/versions/1.0
    201 200  201 200  201 200  403 403  403 403  401 401  /products/acme/suite
    ");
    let id = entitle(&cast.owner, "/repos/acme/tools", json!({"access": "r"})).await;
    cast.site_admin.put("/subjects/acme/plan").json(json!({"plan": "free"})).await.expect(200);
    let refusal = "This needs the plan 'premium' or more";
    for place in PLACES.map(|place| place.replace("/ada/", "/acme/")) {
        let refused = cast.owner.post(&format!("{place}/entitlements")).json(json!({"access": "r"})).await;
        refused.refuses(403, refusal);
    }
    let one = format!("/repos/acme/tools/entitlements/{id}");
    cast.owner.patch(&one).json(json!({"access": "rw"})).await.refuses(403, refusal);
    cast.owner.delete(&one).await.expect(200);
}
