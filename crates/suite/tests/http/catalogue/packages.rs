//! Packages: their fields and their changes.

use serde_json::{Value, json};
use suite::{Person, TestHouse};

use crate::{
    catalogue::{fields, moments, new_package, new_repo, new_version, segment},
    cluster::together::{statuses, together},
};

/// Starts a house with the repository `ada/tools`, and ada.
async fn tools() -> (TestHouse, Person) {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    new_repo(&ada, "ada/tools").await;
    (house, ada)
}

#[tokio::test]
async fn a_new_package_has_every_field_with_its_default() {
    let (house, ada) = tools().await;
    let created = ada.post("/packages/ada/tools").json(json!({"name": "cat"})).await.expect(201);
    insta::assert_snapshot!(fields(&created), @r#"
    {"name":"cat",
    "repo":"tools",
    "owner":"ada",
    "desc":"",
    "labels":[],
    "attribute_names":[],
    "licenses":[],
    "custom_licenses":[],
    "rating":0,
    "rating_count":0,
    "followers_count":0,
    "created":"2026-01-15T12:00:00.000Z",
    "updated":"2026-01-15T12:00:00.000Z",
    "website_url":null,
    "issue_tracker_url":null,
    "vcs_url":null,
    "github_repo":null,
    "github_release_notes":null,
    "github_release_notes_file":null,
    "public_download_numbers":false,
    "public_stats":false,
    "linked_to_repos":[],
    "versions":[],
    "latest_version":null}
    "#);
    assert_eq!(ada.get("/packages/ada/tools/cat").await.expect(200).text(), created.text());
    insta::assert_snapshot!(fields(&house.anyone().get("/packages/ada/tools/cat").await.expect(200)), @r#"
    {"name":"cat",
    "repo":"tools",
    "owner":"ada",
    "desc":"",
    "labels":[],
    "attribute_names":[],
    "licenses":[],
    "custom_licenses":[],
    "rating":0,
    "rating_count":0,
    "followers_count":0,
    "created":"2026-01-15T12:00:00.000Z",
    "updated":"2026-01-15T12:00:00.000Z",
    "website_url":null,
    "issue_tracker_url":null,
    "vcs_url":null,
    "linked_to_repos":[],
    "versions":[],
    "latest_version":null}
    "#);
}

fn everything() -> Value {
    json!({
        "name": "cat", "desc": "Joins files.\n\tAnd more: Ünïcödé 🐈", "labels": ["text", "files", "text"],
        "licenses": ["MIT", "Apache-2.0", "Public Domain - SUN"], "website_url": "https://example.org/cat",
        "issue_tracker_url": "https://example.org/cat/issues", "vcs_url": "https://example.org/cat.git",
        "github_repo": "ada/cat", "github_release_notes": "NOTES.md", "public_download_numbers": true,
    })
}

#[tokio::test]
async fn a_package_shows_what_it_was_given() {
    let (house, ada) = tools().await;
    house.clock.advance(1_234);
    let created = ada.post("/packages/ada/tools").json(everything()).await.expect(201);
    insta::assert_snapshot!(fields(&created), @r#"
    {"name":"cat",
    "repo":"tools",
    "owner":"ada",
    "desc":"Joins files.\n\tAnd more: Ünïcödé 🐈",
    "labels":["text","files","text"],
    "attribute_names":[],
    "licenses":["MIT","Apache-2.0","Public Domain - SUN"],
    "custom_licenses":[],
    "rating":0,
    "rating_count":0,
    "followers_count":0,
    "created":"2026-01-15T12:00:01.234Z",
    "updated":"2026-01-15T12:00:01.234Z",
    "website_url":"https://example.org/cat",
    "issue_tracker_url":"https://example.org/cat/issues",
    "vcs_url":"https://example.org/cat.git",
    "github_repo":"ada/cat",
    "github_release_notes":"NOTES.md",
    "github_release_notes_file":"NOTES.md",
    "public_download_numbers":true,
    "public_stats":true,
    "linked_to_repos":[],
    "versions":[],
    "latest_version":null}
    "#);
    assert_eq!(ada.get("/packages/ada/tools/cat").await.expect(200).text(), created.text());
    assert_eq!(house.admin().get("/packages/ada/tools/cat").await.expect(200).text(), created.text());
}

#[tokio::test]
async fn what_is_for_publishers_is_absent_for_others() {
    let (house, ada) = tools().await;
    let eve = house.user("eve").await;
    ada.post("/packages/ada/tools").json(everything()).await.expect(201);
    for reader in [&house.anyone(), &eve] {
        let shown = reader.get("/packages/ada/tools/cat").await.expect(200).json();
        for field in ["github_repo", "github_release_notes", "github_release_notes_file", "public_download_numbers"] {
            assert_eq!(shown.get(field), None, "{field}");
        }
        assert_eq!(shown["vcs_url"], "https://example.org/cat.git");
    }
}

#[tokio::test]
async fn release_notes_at_github_have_two_names() {
    let (_house, ada) = tools().await;
    for (name, body) in [
        ("one", json!({"name": "one", "github_release_notes": "A"})),
        ("two", json!({"name": "two", "github_release_notes_file": "A"})),
        ("both", json!({"name": "both", "github_release_notes": "A", "github_release_notes_file": "A"})),
    ] {
        ada.post("/packages/ada/tools").json(body).await.expect(201);
        let shown = ada.get(&format!("/packages/ada/tools/{name}")).await.expect(200).json();
        assert_eq!((&shown["github_release_notes"], &shown["github_release_notes_file"]), (&json!("A"), &json!("A")));
    }
}

#[tokio::test]
async fn every_licence_of_the_contract_is_taken_as_it_is_spelled() {
    let (_house, ada) = tools().await;
    let names: Vec<&str> = model::license::LICENSES.iter().map(|license| license.name).collect();
    assert_eq!(names.len(), 88);
    let created = ada.post("/packages/ada/tools").json(json!({"name": "cat", "licenses": names})).await.expect(201);
    assert_eq!(created.json()["licenses"], json!(names));
    for unknown in ["Foo", "mit", "MIT ", "GPL", ""] {
        let refusal = format!("License '{unknown}' does not exist");
        let body = json!({"name": "dog", "licenses": ["MIT", unknown]});
        ada.post("/packages/ada/tools").json(body).await.refuses(400, &refusal);
        ada.patch("/packages/ada/tools/cat").json(json!({"licenses": [unknown]})).await.refuses(400, &refusal);
    }
    ada.get("/packages/ada/tools/dog").await.refuses(404, "Package 'dog' was not found");
}

#[tokio::test]
async fn a_package_exists_once_in_any_letter_case() {
    let (_house, ada) = tools().await;
    new_repo(&ada, "ada/other").await;
    for (name, others) in [("Cat", ["Cat", "cat", "CAT"]), ("Ünï", ["Ünï", "ünï", "ÜNÏ"])] {
        new_package(&ada, "ada/tools", name).await;
        for other in others {
            let refusal = format!("Package '{other}' already exists");
            ada.post("/packages/ada/tools").json(json!({ "name": other })).await.refuses(409, &refusal);
        }
        new_package(&ada, "ada/other", name).await;
    }
    ada.get("/packages/ada/tools/cat").await.refuses(404, "Package 'cat' was not found");
    ada.delete("/packages/ada/tools/Cat").await.refuses(200, "success");
    new_package(&ada, "ada/tools", "cat").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_packages_of_one_name_at_once_one_is_made() {
    let (_house, ada) = tools().await;
    for round in 0..10 {
        let create = |name| ada.post("/packages/ada/tools").json(json!({ "name": format!("{name}{round}") }));
        assert_eq!(statuses(&together(["cat", "CAT"].map(create)).await), [201, 409]);
    }
}

#[tokio::test]
async fn a_name_of_printable_text_works_through_the_url() {
    let (_house, ada) = tools().await;
    let long = "x".repeat(200);
    for name in
        ["org.x:lib", "@scope~1", "a+b", "two words", "a=b&c", "100,5", "(x)!*'$", "ünï 🐈", "versions", "a..b", &long]
    {
        new_package(&ada, "ada/tools", name).await;
        let path = format!("/packages/ada/tools/{}", segment(name));
        assert_eq!(ada.get(&path).await.expect(200).json()["name"], *name);
        ada.patch(&path).json(json!({"desc": name})).await.refuses(200, "success");
        new_version(&ada, &path["/packages/".len()..], name).await;
        let version = ada.get(&format!("{path}/versions/{}", segment(name))).await.expect(200).json();
        assert_eq!((&version["name"], &version["package"]), (&json!(name), &json!(name)));
        ada.delete(&path).await.refuses(200, "success");
        ada.get(&path).await.expect(404);
    }
}

#[tokio::test]
async fn signs_that_a_url_may_hold_need_no_encoding() {
    let (_house, ada) = tools().await;
    for name in ["org.x:lib", "@scope~1", "a+b"] {
        new_package(&ada, "ada/tools", name).await;
        assert_eq!(ada.get(&format!("/packages/ada/tools/{name}")).await.expect(200).json()["name"], *name);
    }
    ada.get("/packages/ada/tools/a%20b").await.refuses(404, "Package 'a b' was not found");
}

#[tokio::test]
async fn a_change_leaves_what_it_does_not_name() {
    let (_house, ada) = tools().await;
    ada.post("/packages/ada/tools").json(everything()).await.expect(201);
    let before = ada.get("/packages/ada/tools/cat").await.expect(200).json();
    for nothing in [
        json!({}),
        json!({"name": "dog", "repo": "x", "owner": "x", "rating": 5, "followers_count": 9, "created": "2020-01-01"}),
        json!({"desc": null, "labels": null, "licenses": null, "public_download_numbers": null}),
    ] {
        ada.patch("/packages/ada/tools/cat").json(nothing).await.refuses(200, "success");
        assert_eq!(ada.get("/packages/ada/tools/cat").await.expect(200).json(), before);
    }
    ada.patch("/packages/ada/tools/cat").json(json!({"desc": "", "labels": ["x"]})).await.expect(200);
    let mut expected = before;
    (expected["desc"], expected["labels"]) = (json!(""), json!(["x"]));
    assert_eq!(ada.get("/packages/ada/tools/cat").await.expect(200).json(), expected);
}

#[tokio::test]
async fn a_null_removes_an_address() {
    let (_house, ada) = tools().await;
    ada.post("/packages/ada/tools").json(everything()).await.expect(201);
    for field in ["website_url", "issue_tracker_url", "vcs_url", "github_repo", "github_release_notes"] {
        ada.patch("/packages/ada/tools/cat").json(json!({ field: null })).await.expect(200);
        let shown = ada.get("/packages/ada/tools/cat").await.expect(200).json();
        assert_eq!(shown.get(field), Some(&Value::Null), "{field}");
    }
    let shown = ada.get("/packages/ada/tools/cat").await.expect(200).json();
    assert_eq!((&shown["github_release_notes_file"], &shown["desc"]), (&Value::Null, &everything()["desc"]));
}

#[tokio::test]
async fn updated_moves_with_every_change_and_created_never() {
    let (house, ada) = tools().await;
    new_package(&ada, "ada/tools", "cat").await;
    let path = "/packages/ada/tools/cat";
    let versions = &format!("{path}/versions");
    let calls = [
        ada.patch(path).json(json!({"desc": "x"})),
        ada.post(versions).json(json!({"name": "1.0"})),
        ada.patch(&format!("{versions}/1.0")).json(json!({"desc": "x"})),
        ada.delete(&format!("{versions}/1.0")),
    ];
    for (second, call) in (1..).zip(calls) {
        house.clock.advance(1_000);
        assert!(call.await.status < 300);
        let expected = ("2026-01-15T12:00:00.000Z".to_owned(), format!("2026-01-15T12:00:0{second}.000Z"));
        assert_eq!(moments(&ada.get(path).await.expect(200).json()), expected);
    }
    let before = ada.get(path).await.expect(200).text();
    house.clock.advance(1_000);
    ada.patch(path).json(json!({"desc": 1})).await.expect(400);
    house.anyone().patch(path).json(json!({"desc": "y"})).await.expect(401);
    ada.delete(&format!("{versions}/1.0")).await.expect(404);
    assert_eq!(ada.get(path).await.expect(200).text(), before);
}

#[tokio::test]
async fn a_deleted_package_takes_its_versions_with_it() {
    let (_house, ada) = tools().await;
    new_package(&ada, "ada/tools", "cat").await;
    new_version(&ada, "ada/tools/cat", "1.0").await;
    ada.delete("/packages/ada/tools/cat").await.refuses(200, "success");
    let refusal = "Package 'cat' was not found";
    ada.delete("/packages/ada/tools/cat").await.refuses(404, refusal);
    ada.get("/packages/ada/tools/cat/versions/1.0").await.refuses(404, refusal);
    ada.post("/packages/ada/tools/cat/versions").json(json!({"name": "1.0"})).await.refuses(404, refusal);
    new_package(&ada, "ada/tools", "cat").await;
    let shown = ada.get("/packages/ada/tools/cat").await.expect(200).json();
    assert_eq!((&shown["versions"], &shown["latest_version"]), (&json!([]), &Value::Null));
    new_version(&ada, "ada/tools/cat", "2.0").await;
    assert_eq!(ada.get("/packages/ada/tools/cat/versions/2.0").await.expect(200).json()["ordinal"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_deletions_at_once_one_finds_nothing() {
    let (_house, ada) = tools().await;
    for round in 0..10 {
        new_package(&ada, "ada/tools", &format!("cat{round}")).await;
        let path = format!("/packages/ada/tools/cat{round}");
        assert_eq!(statuses(&together([(); 2].map(|()| ada.delete(&path))).await), [200, 404], "{path}");
    }
    assert_eq!(ada.get("/repos/ada/tools").await.expect(200).json()["package_count"], 0);
}
