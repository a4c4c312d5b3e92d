//! Licenses: the list that packages choose from, and the custom ones of users and organizations.

use serde_json::json;
use suite::{Person, TestHouse};

use crate::{
    access::acme::Cast,
    catalogue::{new_package, new_repo, segment},
    cluster::together::{statuses, together},
};

#[tokio::test]
async fn the_list_of_licenses_is_open_to_everyone() {
    let house = TestHouse::start().await;
    let listed = house.anyone().get("/licenses/oss_licenses").await.expect(200).json();
    let list = listed.as_array().expect("a list");
    assert_eq!(list.len(), 88);
    insta::assert_snapshot!(list[0], @r#"{"longname":"Academic Free License 3.0","name":"AFL-3.0","url":"https://opensource.org/license/afl-3-0-php"}"#);
    let is_whole =
        |field: &str| list.iter().all(|license| license[field].as_str().is_some_and(|text| !text.is_empty()));
    assert!(is_whole("name") && is_whole("longname") && is_whole("url"));
    let name = |license: &serde_json::Value| license["name"].as_str().unwrap_or_default().to_owned();
    let names = list.iter().map(name).collect::<Vec<_>>().join(", ");
    insta::assert_snapshot!(names, @"AFL-3.0, AGPL-V3, APL-1.0, Apache-1.0, Apache-1.1, APSL-2.0, Artistic-License-2.0, Attribution, BSL-1.0, CA-TOSL-1.1, CPAL-1.0, CPOL-1.02, CUAOFFICE-1.0, Day-Addendum, EUDATAGRID, Historical, IBMPL-1.0, IPAFont-1.0, ISC, Lucent-1.02, MirOS, MS-PL, MS-RL, MIT, BSD, GPL-2.0, JTidy, CPL-1.0, JA-SIG, JSON, Motosoto-0.9.1, ECL2, Eiffel-2.0, Entessa-1.0, EUPL-1.1, Fair, Frameworx-1.0, GPL-2.0+CE, Multics, NASA-1.3, NTP, NAUMEN, Nethack, Nokia-1.0a, NOSL-3.0, OCLC-2.0, Openfont-1.1, Opengroup, OSL-3.0, PHP-3.0, PostgreSQL, Public Domain - SUN, PythonPL, PythonSoftFoundation, QTPL-1.0, Real-1.0, RPL-1.5, RicohPL, SimPL-2.0, Sleepycat, SUNPublic-1.0, Sybase-1.0, UoI-NCSA, IU-Extreme-1.1.1, VovidaPL-1.0, wxWindows, Xnet, ZPL-2.0, ZLIB, Codehaus, TMate, WTFPL, MPL-2.0, Public Domain, Eclipse-1.0, Bouncy-Castle, Apache-2.0, BSD Simplified, BSD New, LGPL-3.0, GPL-3.0, CDDL-1.0, HSQLDB, Day, Mozilla-1.1, LGPL-2.1, W3C, Go");
}

#[tokio::test]
async fn a_package_takes_every_license_of_the_list() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    new_repo(&ada, "ada/tools").await;
    let listed = house.anyone().get("/licenses/oss_licenses").await.expect(200).json();
    let names: Vec<_> = listed.as_array().expect("a list").iter().map(|license| license["name"].clone()).collect();
    let created = ada.post("/packages/ada/tools").json(json!({"name": "cat", "licenses": names})).await.expect(201);
    assert_eq!(created.json()["licenses"], json!(names));
}

#[tokio::test]
async fn owners_write_licenses_of_their_own() {
    let house = TestHouse::start().await;
    let (ada, bob) = (house.user("ada").await, house.user("bob").await);
    let body = json!({"name": "House rules 2.0+", "description": "Be kind", "url": "https://example.org/rules"});
    let created = ada.post("/users/ada/licenses").json(body).await.expect(201);
    assert_eq!(
        created.text(),
        r#"{"name":"House rules 2.0+","description":"Be kind","url":"https://example.org/rules"}"#
    );
    ada.post("/users/ada/licenses").json(json!({"name": "Again"})).await.expect(201);
    let path = format!("/users/ada/licenses/{}", segment("House rules 2.0+"));
    ada.patch(&path).json(json!({"description": "Be kinder", "name": "Other"})).await.refuses(200, "success");
    insta::assert_snapshot!(bob.get("/users/ada/licenses").await.expect(200).text(), @r#"[{"name":"Again","description":"","url":""},{"name":"House rules 2.0+","description":"Be kinder","url":"https://example.org/rules"}]"#);
    ada.delete(&path).await.refuses(200, "success");
    ada.delete(&path).await.refuses(404, "License 'House rules 2.0+' was not found");
    ada.patch(&path).json(json!({})).await.refuses(404, "License 'House rules 2.0+' was not found");
    ada.post("/users/ada/licenses").json(json!({"name": "Again"})).await.refuses(409, "License 'Again' already exists");
    house.anyone().get("/users/ada/licenses").await.refuses(401, "This resource requires authentication");
    bob.get("/users/nobody/licenses").await.refuses(404, "User 'nobody' was not found");
    bob.get("/orgs/ada/licenses").await.refuses(404, "Organization 'ada' was not found");
}

#[tokio::test]
async fn licenses_are_managed_by_those_who_run_the_account() {
    let cast = Cast::start().await;
    cast.org("acme").await;
    let mut table = String::new();
    for (role, actor) in cast.actors() {
        let list = actor.get("/orgs/acme/licenses").await.status;
        let create = actor.post("/orgs/acme/licenses").json(json!({ "name": role })).await.status;
        cast.owner.post("/orgs/acme/licenses").json(json!({ "name": role })).await;
        let path = format!("/orgs/acme/licenses/{}", segment(role));
        let edit = actor.patch(&path).json(json!({"url": "x"})).await.status;
        let delete = actor.delete(&path).await.status;
        let of_user = actor.post("/users/nora/licenses").json(json!({ "name": role })).await.status;
        table += &format!("{role}: list {list}, create {create}, edit {edit}, delete {delete}, of a user {of_user}\n");
    }
    insta::assert_snapshot!(table, @"
    owner: list 200, create 201, edit 200, delete 200, of a user 403
    admin: list 200, create 201, edit 200, delete 200, of a user 403
    member: list 200, create 403, edit 403, delete 403, of a user 403
    stranger: list 200, create 403, edit 403, delete 403, of a user 403
    site admin: list 200, create 201, edit 200, delete 200, of a user 201
    ");
}

#[tokio::test]
async fn a_bad_field_of_a_license_is_named_and_nothing_is_stored() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    let bodies = [
        "{}",
        r#"{"name": 1}"#,
        r#"{"name": ""}"#,
        r#"{"name": "a/b"}"#,
        r#"{"name": "a\nb"}"#,
        r#"{"name": "a", "description": []}"#,
        r#"{"name": "a", "description": "\u0007"}"#,
        r#"{"name": "a", "url": "a\nb"}"#,
        r#"{"name": "a", "url": 7}"#,
    ];
    let mut refusals = String::new();
    for body in bodies {
        let refused = ada.post("/users/ada/licenses").body(body).await.expect(400);
        refusals += &format!("{body} -> {}\n", refused.message());
    }
    insta::assert_snapshot!(refusals, @r#"
    {} -> missing field `name`
    {"name": 1} -> name: invalid type: integer `1`, expected a string
    {"name": ""} -> name: license name '' is not valid: it is empty
    {"name": "a/b"} -> name: license name 'a/b' is not valid: it holds one of / \ ; ? # %
    {"name": "a\nb"} -> name: license name 'a
    b' is not valid: it holds an unprintable character
    {"name": "a", "description": []} -> description: invalid type: sequence, expected a string
    {"name": "a", "description": "\u0007"} -> description: it holds a control character
    {"name": "a", "url": "a\nb"} -> url: it holds a control character
    {"name": "a", "url": 7} -> url: invalid type: integer `7`, expected a string
    "#);
    assert_eq!(ada.get("/users/ada/licenses").await.expect(200).text(), "[]");
}

#[tokio::test]
async fn a_package_names_licenses_that_its_owner_has() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    new_repo(&ada, "ada/tools").await;
    let refusal = "License 'House' does not exist";
    let named = |names: serde_json::Value| json!({"name": "cat", "custom_licenses": names});
    ada.post("/packages/ada/tools").json(named(json!(["House"]))).await.refuses(400, refusal);
    ada.get("/packages/ada/tools/cat").await.expect(404);
    // Another user's license does not count.
    let bob = house.user("bob").await;
    bob.post("/users/bob/licenses").json(json!({"name": "House"})).await.expect(201);
    ada.post("/packages/ada/tools").json(named(json!(["House"]))).await.refuses(400, refusal);
    ada.post("/users/ada/licenses").json(json!({"name": "House"})).await.expect(201);
    ada.post("/users/ada/licenses").json(json!({"name": "Garden"})).await.expect(201);
    let created = ada.post("/packages/ada/tools").json(named(json!(["House", "Garden"]))).await.expect(201);
    assert_eq!(created.json()["custom_licenses"], json!(["House", "Garden"]));
    ada.patch("/packages/ada/tools/cat")
        .json(json!({"custom_licenses": ["Garden", "Shed"], "desc": "x"}))
        .await
        .refuses(400, "License 'Shed' does not exist");
    ada.patch("/packages/ada/tools/cat").json(json!({"custom_licenses": ["a\nb"]})).await.expect(400);
    ada.patch("/packages/ada/tools/cat")
        .json(json!({"custom_licenses": vec!["House"; 101]}))
        .await
        .refuses(400, "custom_licenses: there are more than 100");
    let shown = ada.get("/packages/ada/tools/cat").await.expect(200).json();
    assert_eq!((&shown["custom_licenses"], &shown["desc"]), (&json!(["House", "Garden"]), &json!("")));
}

#[tokio::test]
async fn a_license_in_use_stays() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    new_repo(&ada, "ada/tools").await;
    ada.post("/users/ada/licenses").json(json!({"name": "House"})).await.expect(201);
    let refusal = "License 'House' is used by a package";
    ada.post("/packages/ada/tools").json(json!({"name": "cat", "custom_licenses": ["House"]})).await.expect(201);
    new_package(&ada, "ada/tools", "dog").await;
    ada.patch("/packages/ada/tools/dog").json(json!({"custom_licenses": ["House", "House"]})).await.expect(200);
    ada.delete("/users/ada/licenses/House").await.refuses(409, refusal);
    ada.patch("/packages/ada/tools/cat").json(json!({"desc": "Another change keeps it"})).await.expect(200);
    ada.delete("/packages/ada/tools/dog").await.expect(200);
    ada.delete("/users/ada/licenses/House").await.refuses(409, refusal);
    ada.patch("/packages/ada/tools/cat").json(json!({"custom_licenses": []})).await.expect(200);
    ada.delete("/users/ada/licenses/House").await.refuses(200, "success");
}

#[tokio::test]
async fn an_owner_goes_with_its_licenses_and_the_packages_that_name_them() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    new_repo(&ada, "ada/tools").await;
    ada.post("/users/ada/licenses").json(json!({"name": "House"})).await.expect(201);
    ada.post("/packages/ada/tools").json(json!({"name": "cat", "custom_licenses": ["House"]})).await.expect(201);
    ada.delete("/users/ada").await.refuses(200, "success");
    house.admin().post("/orgs").json(json!({"name": "acme"})).await.expect(201);
    new_repo(&house.admin(), "acme/tools").await;
    house.admin().post("/orgs/acme/licenses").json(json!({"name": "House"})).await.expect(201);
    let cat = json!({"name": "cat", "custom_licenses": ["House"]});
    house.admin().post("/packages/acme/tools").json(cat).await.expect(201);
    house.admin().delete("/orgs/acme").await.refuses(200, "success");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_owner_may_be_deleted_while_its_licenses_are_used() {
    let house = TestHouse::start().await;
    for round in 0..10 {
        let (name, admin) = (format!("ada{round}"), house.admin());
        let ada = house.user(&name).await;
        new_repo(&ada, &format!("{name}/tools")).await;
        new_package(&ada, &format!("{name}/tools"), "cat").await;
        ada.post(&format!("/users/{name}/licenses")).json(json!({"name": "House"})).await.expect(201);
        let package = format!("/packages/{name}/tools/cat");
        let answers = together([
            admin.patch(&package).json(json!({"custom_licenses": ["House"]})),
            admin.put(&format!("{package}/follow")),
            ada.put(&format!("{package}/follow")),
            admin.patch(&format!("/users/{name}/licenses/House")).json(json!({"url": "x"})),
            admin.delete(&format!("/users/{name}")),
        ])
        .await;
        assert!(statuses(&answers).iter().all(|status| *status < 500), "round {round}: {:?}", statuses(&answers));
        admin.get(&format!("/users/{name}")).await.expect(404);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_license_is_deleted_or_used_and_never_both() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    new_repo(&ada, "ada/tools").await;
    for round in 0..20 {
        let (license, package) = (format!("L{round}"), format!("cat{round}"));
        ada.post("/users/ada/licenses").json(json!({ "name": license })).await.expect(201);
        let used = ada.post("/packages/ada/tools").json(json!({"name": package, "custom_licenses": [license]}));
        let answers = together([used, ada.delete(&format!("/users/ada/licenses/{license}"))]).await;
        assert!(matches!(*statuses(&answers), [200, 400] | [201, 409]), "{:?}", statuses(&answers));
        let is_left = has_license(&ada, &license).await;
        assert_eq!(is_left, ada.get(&format!("/packages/ada/tools/{package}")).await.status == 200);
    }
}

async fn has_license(person: &Person, name: &str) -> bool {
    let listed = person.get("/users/ada/licenses").await.expect(200).json();
    listed.as_array().expect("a list").iter().any(|license| license["name"] == name)
}
