//! Versions: their fields, their numbering, and which one is the latest.

use serde_json::{Value, json};
use suite::{Person, TestHouse};

use crate::{
    catalogue::{fields, moments, new_package, new_repo, new_version},
    cluster::together::{statuses, together},
};

const VERSIONS: &str = "/packages/ada/tools/cat/versions";

/// Starts a house with the package `ada/tools/cat`, and ada.
async fn cat() -> (TestHouse, Person) {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    new_repo(&ada, "ada/tools").await;
    new_package(&ada, "ada/tools", "cat").await;
    (house, ada)
}

#[tokio::test]
async fn a_new_version_has_every_field_with_its_default() {
    let (house, ada) = cat().await;
    let created = ada.post(VERSIONS).json(json!({"name": "1.0"})).await.expect(201);
    insta::assert_snapshot!(fields(&created), @r#"
    {"name":"1.0",
    "desc":"",
    "package":"cat",
    "repo":"tools",
    "owner":"ada",
    "lables":[],
    "labels":[],
    "attribute_names":[],
    "created":"2026-01-15T12:00:00.000Z",
    "updated":"2026-01-15T12:00:00.000Z",
    "released":null,
    "ordinal":1,
    "published":false,
    "vcs_tag":null,
    "github_use_tag_release_notes":false,
    "github_release_notes_file":null}
    "#);
    assert_eq!(house.anyone().get(&format!("{VERSIONS}/1.0")).await.expect(200).text(), created.text());
}

fn everything() -> Value {
    json!({
        "name": "1.0", "desc": "The first", "labels": ["stable", "lts"], "released": "2026-01-10T10:30:00.5+01:00",
        "vcs_tag": "v1.0", "github_use_tag_release_notes": true,
    })
}

#[tokio::test]
async fn a_version_shows_what_it_was_given() {
    let (house, ada) = cat().await;
    house.clock.advance(1_234);
    let created = ada.post(VERSIONS).json(everything()).await.expect(201);
    insta::assert_snapshot!(fields(&created), @r#"
    {"name":"1.0",
    "desc":"The first",
    "package":"cat",
    "repo":"tools",
    "owner":"ada",
    "lables":["stable","lts"],
    "labels":["stable","lts"],
    "attribute_names":[],
    "created":"2026-01-15T12:00:01.234Z",
    "updated":"2026-01-15T12:00:01.234Z",
    "released":"2026-01-10T09:30:00.500Z",
    "ordinal":1,
    "published":false,
    "vcs_tag":"v1.0",
    "github_use_tag_release_notes":true,
    "github_release_notes_file":null}
    "#);
    assert_eq!(house.anyone().get(&format!("{VERSIONS}/1.0")).await.expect(200).text(), created.text());
}

#[tokio::test]
async fn a_release_moment_is_read_in_every_accepted_form() {
    let (_house, ada) = cat().await;
    new_version(&ada, "ada/tools/cat", "1.0").await;
    for (given, shown) in [
        ("2026-01-10", "2026-01-10T00:00:00.000Z"),
        ("2026-01-10T10:30:00Z", "2026-01-10T10:30:00.000Z"),
        ("2026-01-10T10:30:00.25z", "2026-01-10T10:30:00.250Z"),
        ("2026-01-10T10:30:00+0100", "2026-01-10T09:30:00.000Z"),
        ("2026-01-10T10:30:00.123456-05:30", "2026-01-10T16:00:00.123Z"),
        ("1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z"),
        ("9999-12-30T23:59:59.999+02:00", "9999-12-30T21:59:59.999Z"),
    ] {
        ada.patch(&format!("{VERSIONS}/1.0")).json(json!({ "released": given })).await.refuses(200, "success");
        assert_eq!(ada.get(&format!("{VERSIONS}/1.0")).await.expect(200).json()["released"], shown, "{given}");
    }
}

#[tokio::test]
async fn a_version_exists_once_and_letter_case_matters() {
    let (_house, ada) = cat().await;
    new_version(&ada, "ada/tools/cat", "1.0-RC").await;
    new_version(&ada, "ada/tools/cat", "1.0-rc").await;
    let refusal = "Version '1.0-RC' already exists";
    ada.post(VERSIONS).json(json!({"name": "1.0-RC"})).await.refuses(409, refusal);
    ada.get(&format!("{VERSIONS}/1.0-Rc")).await.refuses(404, "Version '1.0-Rc' was not found");
}

#[tokio::test]
async fn ordinals_count_up_and_are_never_given_again() {
    let (_house, ada) = cat().await;
    let mut given = Vec::new();
    for name in ["1.0", "3.0", "2.0"] {
        given.push(ada.post(VERSIONS).json(json!({ "name": name })).await.expect(201).json()["ordinal"].clone());
    }
    assert_eq!(given, [1, 2, 3]);
    ada.post(VERSIONS).json(json!({"name": "2.0"})).await.expect(409);
    ada.delete(&format!("{VERSIONS}/2.0")).await.refuses(200, "success");
    let again = ada.post(VERSIONS).json(json!({"name": "2.0"})).await.expect(201).json();
    assert_eq!(again["ordinal"], 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn ordinals_have_no_gaps_when_many_versions_are_made_at_once() {
    let (_house, ada) = cat().await;
    let create = |number: usize| ada.post(VERSIONS).json(json!({ "name": format!("1.{}", number % 45) }));
    let answers = together((0..50).map(create)).await;
    let made = answers.iter().filter(|answer| answer.status == 201).map(suite::Answer::json);
    let mut made: Vec<(i64, Value)> =
        made.map(|version| (version["ordinal"].as_i64().expect("a number"), version["name"].clone())).collect();
    made.sort_by_key(|(ordinal, _)| *ordinal);
    assert_eq!(statuses(&answers), [[201; 45].as_slice(), &[409; 5]].concat());
    assert_eq!(made.iter().map(|(ordinal, _)| *ordinal).collect::<Vec<_>>(), (1..=45).collect::<Vec<i64>>());
    let newest_first: Vec<Value> = made.into_iter().rev().map(|(_, name)| name).collect();
    assert_eq!(ada.get("/packages/ada/tools/cat").await.expect(200).json()["versions"], json!(newest_first));
}

#[tokio::test]
async fn versions_are_newest_first_by_creation_and_the_latest_is_the_greatest() {
    let (house, ada) = cat().await;
    house.anyone().get(&format!("{VERSIONS}/_latest")).await.refuses(404, "Version '_latest' was not found");
    for (name, released) in [("1.0", "2026-01-03"), ("3.0", "2026-01-01"), ("2.0", "2026-01-02")] {
        ada.post(VERSIONS).json(json!({ "name": name, "released": released })).await.expect(201);
    }
    let shown = house.anyone().get("/packages/ada/tools/cat").await.expect(200).json();
    assert_eq!((&shown["versions"], &shown["latest_version"]), (&json!(["2.0", "3.0", "1.0"]), &json!("3.0")));
    let latest = house.anyone().get(&format!("{VERSIONS}/_latest")).await.expect(200);
    assert_eq!(latest.text(), house.anyone().get(&format!("{VERSIONS}/3.0")).await.expect(200).text());
    ada.delete(&format!("{VERSIONS}/3.0")).await.expect(200);
    assert_eq!(house.anyone().get(&format!("{VERSIONS}/_latest")).await.expect(200).json()["name"], "2.0");
    assert_eq!(house.anyone().get("/packages/ada/tools/cat").await.expect(200).json()["latest_version"], "2.0");
}

#[tokio::test]
async fn a_change_leaves_what_it_does_not_name() {
    let (_house, ada) = cat().await;
    ada.post(VERSIONS).json(everything()).await.expect(201);
    let path = format!("{VERSIONS}/1.0");
    let before = ada.get(&path).await.expect(200).json();
    for nothing in [
        json!({}),
        json!({"name": "2.0", "ordinal": 9, "published": true, "package": "dog", "created": "2020-01-01"}),
        json!({"desc": null, "labels": null, "github_use_tag_release_notes": null}),
    ] {
        ada.patch(&path).json(nothing).await.refuses(200, "success");
        assert_eq!(ada.get(&path).await.expect(200).json(), before);
    }
    ada.patch(&path).json(json!({"lables": ["y"]})).await.expect(200);
    assert_eq!(ada.get(&path).await.expect(200).json()["labels"], json!(["y"]), "the name under which they are shown");
    ada.patch(&path).json(json!({"desc": "", "labels": ["x"], "vcs_tag": "v1"})).await.expect(200);
    let mut expected = before;
    (expected["desc"], expected["vcs_tag"]) = (json!(""), json!("v1"));
    (expected["labels"], expected["lables"]) = (json!(["x"]), json!(["x"]));
    assert_eq!(ada.get(&path).await.expect(200).json(), expected);
}

#[tokio::test]
async fn a_null_removes_the_tag_and_the_release_moment() {
    let (_house, ada) = cat().await;
    ada.post(VERSIONS).json(everything()).await.expect(201);
    for field in ["vcs_tag", "released"] {
        ada.patch(&format!("{VERSIONS}/1.0")).json(json!({ field: null })).await.refuses(200, "success");
        assert_eq!(ada.get(&format!("{VERSIONS}/1.0")).await.expect(200).json().get(field), Some(&Value::Null));
    }
}

#[tokio::test]
async fn updated_moves_with_every_change_and_created_never() {
    let (house, ada) = cat().await;
    let path = format!("{VERSIONS}/1.0");
    new_version(&ada, "ada/tools/cat", "1.0").await;
    let at = |second: u32| format!("2026-01-15T12:00:0{second}.000Z");
    assert_eq!(moments(&ada.get(&path).await.expect(200).json()), (at(0), at(0)));
    house.clock.advance(1_000);
    ada.patch(&path).json(json!({"desc": "x"})).await.expect(200);
    assert_eq!(moments(&ada.get(&path).await.expect(200).json()), (at(0), at(1)));
    house.clock.advance(1_000);
    new_version(&ada, "ada/tools/cat", "2.0").await;
    ada.patch(&path).json(json!({"desc": 1})).await.expect(400);
    assert_eq!(moments(&ada.get(&path).await.expect(200).json()), (at(0), at(1)));
    assert_eq!(moments(&ada.get(&format!("{VERSIONS}/2.0")).await.expect(200).json()), (at(2), at(2)));
}

#[tokio::test]
async fn a_deleted_version_is_gone() {
    let (_house, ada) = cat().await;
    new_version(&ada, "ada/tools/cat", "1.0").await;
    let path = format!("{VERSIONS}/1.0");
    ada.delete(&path).await.refuses(200, "success");
    let refusal = "Version '1.0' was not found";
    ada.delete(&path).await.refuses(404, refusal);
    ada.get(&path).await.refuses(404, refusal);
    ada.patch(&path).json(json!({"desc": "x"})).await.refuses(404, refusal);
    assert_eq!(ada.get("/packages/ada/tools/cat").await.expect(200).json()["versions"], json!([]));
}
