//! Repositories: their fields, their changes, and their lists.

use model::repo_type::REPO_TYPES;
use serde_json::{Value, json};
use suite::{Person, TestHouse};

use crate::{
    access::acme::{Cast, set_member},
    catalogue::{fields, new_package, new_private_repo, new_repo, new_version},
    cluster::together::{statuses, together},
};

#[tokio::test]
async fn a_new_repository_has_every_field_with_its_default() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    let created = ada.post("/repos/ada/tools").json(json!({})).await.expect(201);
    insta::assert_snapshot!(fields(&created), @r#"
    {"name":"tools",
    "owner":"ada",
    "desc":"",
    "labels":[],
    "created":"2026-01-15T12:00:00.000Z",
    "package_count":0,
    "type":"generic",
    "private":false,
    "premium":true,
    "gpg_sign_metadata":false,
    "gpg_sign_files":false,
    "gpg_use_owner_key":false}
    "#);
    let shown = house.anyone().get("/repos/ada/tools").await.expect(200);
    assert_eq!(shown.text(), created.text());
}

#[tokio::test]
async fn a_repository_shows_what_it_was_given() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    let body = json!({
        "type": "maven", "private": true, "desc": "Werkzeuge\nund mehr", "labels": ["b", "a", "zwei Wörter"],
        "gpg_sign_metadata": true, "gpg_sign_files": true, "gpg_use_owner_key": true, "version_update_max_days": 36_500,
        "default_debian_distribution": "stable", "default_debian_component": "main",
        "default_debian_architecture": "amd64", "yum_metadata_depth": 0,
    });
    house.clock.advance(1_234);
    let created = ada.post("/repos/ada/tools").json(body).await.expect(201);
    insta::assert_snapshot!(fields(&created), @r#"
    {"name":"tools",
    "owner":"ada",
    "desc":"Werkzeuge\nund mehr",
    "labels":["b","a","zwei Wörter"],
    "created":"2026-01-15T12:00:01.234Z",
    "package_count":0,
    "type":"maven",
    "private":true,
    "premium":true,
    "gpg_sign_metadata":true,
    "gpg_sign_files":true,
    "gpg_use_owner_key":true,
    "version_update_max_days":36500}
    "#);
    assert_eq!(ada.get("/repos/ada/tools").await.expect(200).text(), created.text());
}

#[tokio::test]
async fn a_repository_has_a_type_that_the_server_has_a_format_for() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    let kinds = house.app().house().repo_types();
    assert!(kinds.starts_with(&["generic", "maven"]), "{kinds:?}");
    for kind in REPO_TYPES {
        let answer = ada.post(&format!("/repos/ada/{kind}")).json(json!({ "type": kind })).await;
        if kinds.contains(&kind) {
            assert_eq!(answer.expect(201).json()["type"], kind);
        } else {
            answer.refuses(400, &format!("type: '{kind}' is not one of {}", kinds.join(", ")));
            ada.get(&format!("/repos/ada/{kind}")).await.expect(404);
        }
    }
}

#[tokio::test]
async fn images_have_two_names() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    let answer = ada.post("/repos/ada/images").json(json!({"type": "oci"})).await;
    if house.app().house().repo_types().contains(&"docker") {
        assert_eq!(answer.expect(201).json()["type"], "docker");
    } else {
        answer.expect(400);
    }
}

#[tokio::test]
async fn uploads_of_native_clients_can_stay_staged_where_a_type_has_such_clients() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    for kind in house.app().house().repo_types() {
        let path = format!("/repos/ada/{kind}");
        let shown = |value: bool| house.app().house().has_native(kind).then_some(json!(value));
        let created = ada.post(&path).json(json!({ "type": kind })).await.expect(201).json();
        assert_eq!(created.get("native_staged").cloned(), shown(false), "{kind}");
        for value in [true, false] {
            ada.patch(&path).json(json!({ "native_staged": value })).await.expect(200);
            let found = ada.get(&path).await.expect(200).json();
            assert_eq!(found.get("native_staged").cloned(), shown(value), "{kind}");
        }
        ada.patch(&path).json(json!({"native_staged": "perhaps"})).await.expect(400);
    }
}

#[tokio::test]
async fn premium_is_what_the_owner_has_booked() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    new_repo(&ada, "ada/tools").await;
    for (plan, premium) in [("free", false), ("premium", true), ("enterprise", true)] {
        house.admin().put("/subjects/ada/plan").json(json!({ "plan": plan })).await.expect(200);
        assert_eq!(house.anyone().get("/repos/ada/tools").await.expect(200).json()["premium"], premium, "{plan}");
    }
}

#[tokio::test]
async fn a_repository_exists_once_in_any_letter_case() {
    let house = TestHouse::start().await;
    let (ada, bob) = (house.user("ada").await, house.user("bob").await);
    new_repo(&ada, "ada/Tools").await;
    for name in ["Tools", "tools", "TOOLS"] {
        let refusal = format!("Repository '{name}' already exists");
        ada.post(&format!("/repos/ada/{name}")).json(json!({})).await.refuses(409, &refusal);
    }
    ada.get("/repos/ada/tools").await.refuses(404, "Repository 'tools' was not found");
    new_repo(&bob, "bob/tools").await;
    ada.delete("/repos/ada/Tools").await.refuses(200, "success");
    new_repo(&ada, "ada/tools").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_repositories_of_one_name_at_once_one_is_made() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    for round in 0..10 {
        let paths = [format!("/repos/ada/tools{round}"), format!("/repos/ada/TOOLS{round}")];
        let answers = together(paths.iter().map(|path| ada.post(path).json(json!({})))).await;
        assert_eq!(statuses(&answers), [201, 409]);
    }
}

#[tokio::test]
async fn a_repository_of_nobody_is_not_made() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    let refusal = "Subject 'nobody' was not found";
    ada.post("/repos/nobody/tools").json(json!({})).await.refuses(404, refusal);
    house.admin().post("/repos/nobody/tools").json(json!({})).await.refuses(404, refusal);
    house.anyone().get("/repos/nobody").await.refuses(404, refusal);
    house.anyone().get("/repos/nobody/tools").await.refuses(404, "Repository 'tools' was not found");
    assert_eq!(house.anyone().get("/repos/ada").await.expect(200).json(), json!([]));
}

#[tokio::test]
async fn a_change_leaves_what_it_does_not_name() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    let body = json!({"type": "maven", "desc": "Tools", "labels": ["a"], "version_update_max_days": 7});
    ada.post("/repos/ada/tools").json(body).await.expect(201);
    let before = ada.get("/repos/ada/tools").await.expect(200).json();
    house.clock.advance(1_000);
    for nothing in [
        json!({}),
        json!({"name": "other", "type": "npm", "owner": "bob", "package_count": 7, "created": "2020-01-01"}),
        json!({"desc": null, "labels": null, "private": null, "gpg_sign_files": null}),
    ] {
        ada.patch("/repos/ada/tools").json(nothing).await.refuses(200, "success");
        assert_eq!(ada.get("/repos/ada/tools").await.expect(200).json(), before);
    }
    let change = json!({"desc": "", "labels": [], "private": true, "gpg_sign_metadata": true});
    ada.patch("/repos/ada/tools").json(change).await.refuses(200, "success");
    let mut expected = before;
    (expected["desc"], expected["labels"]) = (json!(""), json!([]));
    (expected["private"], expected["gpg_sign_metadata"]) = (json!(true), json!(true));
    assert_eq!(ada.get("/repos/ada/tools").await.expect(200).json(), expected);
}

#[tokio::test]
async fn a_null_removes_the_upload_window() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    ada.post("/repos/ada/tools").json(json!({"version_update_max_days": 7})).await.expect(201);
    ada.patch("/repos/ada/tools").json(json!({"version_update_max_days": null})).await.expect(200);
    let shown = ada.get("/repos/ada/tools").await.expect(200).json();
    assert_eq!(shown.get("version_update_max_days"), None);
}

#[tokio::test]
async fn a_subject_lists_its_own_repositories_by_name() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    for name in ["b", "a.1", "Zebra", "c_d-e"] {
        new_repo(&ada, &format!("ada/{name}")).await;
    }
    let listed = house.anyone().get("/repos/ada").await.expect(200);
    insta::assert_snapshot!(listed.text(), @r#"[{"name":"Zebra","owner":"ada"},{"name":"a.1","owner":"ada"},{"name":"b","owner":"ada"},{"name":"c_d-e","owner":"ada"}]"#);
    assert_eq!(listed.header("x-rangelimit-total"), "");
}

#[tokio::test]
async fn a_user_lists_the_repositories_of_organizations_it_runs() {
    let cast = Cast::start().await;
    cast.org("acme").await;
    new_repo(&cast.owner, "acme/tools").await;
    for person in [&cast.owner, &cast.admin, &cast.member, &cast.stranger] {
        new_repo(person, &format!("{}/own", person.name())).await;
    }
    let mut lists = String::new();
    for subject in ["olga", "alma", "mike", "stan", "acme"] {
        lists += &format!("{subject}: {}\n", list(&cast.house.anyone(), subject).await);
    }
    insta::assert_snapshot!(lists, @r#"
    olga: acme/tools olga/own
    alma: acme/tools alma/own
    mike: mike/own
    stan: stan/own
    acme: acme/tools
    "#);
    set_member(&cast.owner, "acme", "alma", "member").await;
    assert_eq!(list(&cast.house.anyone(), "alma").await, "alma/own");
}

#[tokio::test]
async fn private_repositories_are_listed_to_those_who_may_read_them() {
    let cast = Cast::start().await;
    cast.org("acme").await;
    new_repo(&cast.owner, "acme/open").await;
    new_private_repo(&cast.owner, "acme/secret").await;
    new_private_repo(&cast.owner, "olga/diary").await;
    let anyone = cast.house.anyone();
    let mut lists = String::new();
    for (name, reader) in cast.actors().into_iter().chain([("anonymous", &anyone)]) {
        lists += &format!("{name}: {} | {}\n", list(reader, "acme").await, list(reader, "olga").await);
    }
    insta::assert_snapshot!(lists, @r#"
    owner: acme/open acme/secret | acme/open acme/secret olga/diary
    admin: acme/open acme/secret | acme/open acme/secret
    member: acme/open | acme/open
    stranger: acme/open | acme/open
    site admin: acme/open acme/secret | acme/open acme/secret olga/diary
    anonymous: acme/open | acme/open
    "#);
}

#[tokio::test]
async fn the_packages_of_a_repository_are_counted() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    new_repo(&ada, "ada/tools").await;
    for name in ["cat", "dog", "eel"] {
        new_package(&ada, "ada/tools", name).await;
    }
    ada.post("/packages/ada/tools").json(json!({"name": "CAT"})).await.expect(409);
    assert_eq!(count(&ada).await, 3);
    ada.delete("/packages/ada/tools/dog").await.expect(200);
    ada.delete("/packages/ada/tools/dog").await.expect(404);
    assert_eq!(count(&ada).await, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn packages_are_counted_exactly_when_many_are_made_at_once() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    new_repo(&ada, "ada/tools").await;
    let create = |number| ada.post("/packages/ada/tools").json(json!({ "name": format!("cat{}", number % 45) }));
    let answers = together((0..50).map(create)).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 201).count(), 45);
    assert_eq!(count(&ada).await, 45);
    let paths: Vec<String> = (0..50).map(|number| format!("/packages/ada/tools/cat{}", number % 40)).collect();
    let answers = together(paths.iter().map(|path| ada.delete(path))).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 40);
    assert_eq!(count(&ada).await, 5);
}

#[tokio::test]
async fn a_deleted_repository_takes_everything_with_it() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    full_repo(&ada, "ada").await;
    ada.delete("/repos/ada/tools").await.refuses(200, "success");
    ada.delete("/repos/ada/tools").await.refuses(404, "Repository 'tools' was not found");
    ada.get("/packages/ada/tools/cat").await.refuses(404, "Repository 'tools' was not found");
    assert_eq!(list(&ada, "ada").await, "");
    new_repo(&ada, "ada/tools").await;
    assert_eq!(count(&ada).await, 0);
    ada.get("/packages/ada/tools/cat").await.refuses(404, "Package 'cat' was not found");
}

#[tokio::test]
async fn a_deleted_subject_takes_its_repositories_with_it() {
    let house = TestHouse::start().await;
    let (ada, bob) = (house.user("ada").await, house.user("bob").await);
    bob.post("/orgs").json(json!({"name": "acme"})).await.expect(201);
    full_repo(&ada, "ada").await;
    full_repo(&bob, "acme").await;
    full_repo(&bob, "bob").await;
    house.admin().delete("/users/ada").await.expect(200);
    bob.delete("/orgs/acme").await.expect(200);
    for gone in ["ada", "acme"] {
        house.admin().get(&format!("/repos/{gone}")).await.expect(404);
        house.admin().get(&format!("/packages/{gone}/tools/cat/versions/1.0")).await.expect(404);
    }
    assert_eq!(list(&bob, "bob").await, "bob/tools");
    bob.get("/packages/bob/tools/cat/versions/1.0").await.expect(200);
    house.user("ada").await;
    assert_eq!(list(&house.admin(), "ada").await, "");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repository_may_be_deleted_while_it_is_used() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    for round in 0..10 {
        full_repo(&ada, "ada").await;
        let calls = [
            ada.delete("/repos/ada/tools"),
            ada.patch("/repos/ada/tools").json(json!({"desc": "x"})),
            ada.post("/packages/ada/tools").json(json!({"name": "dog"})),
            ada.delete("/packages/ada/tools/cat"),
            ada.post("/packages/ada/tools/cat/versions").json(json!({"name": "2.0"})),
            ada.patch("/packages/ada/tools/cat/versions/1.0").json(json!({"desc": "x"})),
            ada.delete("/packages/ada/tools/cat/versions/1.0"),
        ];
        let answers = together(calls).await;
        assert!(statuses(&answers).iter().all(|status| *status < 500), "round {round}: {:?}", statuses(&answers));
        assert_eq!(answers[0].status, 200, "round {round}: {}", answers[0].text());
        assert_eq!(list(&ada, "ada").await, "");
    }
}

/// Creates `tools/cat/1.0` of this subject.
async fn full_repo(by: &Person, subject: &str) {
    new_repo(by, &format!("{subject}/tools")).await;
    new_package(by, &format!("{subject}/tools"), "cat").await;
    new_version(by, &format!("{subject}/tools/cat"), "1.0").await;
}

/// Returns the repositories of a list, as `owner/name`.
async fn list(reader: &Person, subject: &str) -> String {
    let listed = reader.get(&format!("/repos/{subject}")).await.expect(200).json();
    let text = |repo: &Value, field: &str| repo[field].as_str().expect("a text").to_owned();
    let names = listed.as_array().expect("a list").iter();
    names.map(|repo| format!("{}/{}", text(repo, "owner"), text(repo, "name"))).collect::<Vec<_>>().join(" ")
}

/// Returns the number of packages in `ada/tools`.
async fn count(reader: &Person) -> i64 {
    reader.get("/repos/ada/tools").await.expect(200).json()["package_count"].as_i64().expect("a number")
}

#[tokio::test]
async fn a_repository_needs_no_body() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    let created = ada.post("/repos/ada/tools").await.expect(201).json();
    assert_eq!((&created["type"], &created["private"]), (&json!("generic"), &json!(false)));
    ada.post("/packages/ada/tools").await.refuses(400, "missing field `name`");
    ada.patch("/repos/ada/tools").await.refuses(400, "A JSON body is required");
}
