//! Access keys of users and organizations: created, shown, changed and deleted.

use model::api_key::ApiKey;
use serde_json::{Value, json};
use suite::TestHouse;

use crate::{access::acme::Cast, catalogue::fields};

/// Noon of the first day in tests, in milliseconds.
const NOON: i64 = 1_768_478_400_000;

#[tokio::test]
async fn a_key_is_made_shown_changed_and_deleted() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    let terms = json!({
        "id": "client", "password": "pass word:82 x", "expiry": NOON + 1, "white_cidrs": ["10.1.2.3/8", "2001:DB8::/32"],
        "black_cidrs": ["10.9.0.0/16"], "api_only": true, "max_downloads": 10,
        "existence_check": {"url": "https://example.org/:username?p=:password", "cache_for_secs": 30}
    });
    let made = ada.post("/users/ada/access_keys").json(terms).await.expect(201);
    assert_eq!(made.text(), r#"{"username":"client@ada","password":"pass word:82 x"}"#);
    insta::assert_snapshot!(fields(&ada.get("/users/ada/access_keys/client").await.expect(200)), @r#"
    {"id":"client",
    "username":"client@ada",
    "expiry":1768478400001,
    "white_cidrs":["10.0.0.0/8","2001:db8::/32"],
    "black_cidrs":["10.9.0.0/16"],
    "existence_check":{"url":"https://example.org/:username?p=:password",
    "cache_for_secs":30},
    "api_only":true,
    "max_downloads":10,
    "created":"2026-01-15T12:00:00.000Z"}
    "#);
    ada.post("/users/ada/access_keys").json(json!({"id": "other"})).await.expect(201);
    assert_eq!(ada.get("/users/ada/access_keys").await.expect(200).text(), r#"{"access_keys":["client","other"]}"#);
    let change = json!({
        "expiry": null, "white_cidrs": [], "black_cidrs": ["::1"], "existence_check": null, "api_only": false,
        "max_downloads": null, "id": "ignored", "password": null
    });
    ada.patch("/users/ada/access_keys/client").json(change).await.expect(200);
    insta::assert_snapshot!(ada.get("/users/ada/access_keys/client").await.expect(200).text(), @r#"{"id":"client","username":"client@ada","expiry":null,"white_cidrs":[],"black_cidrs":["::1/128"],"existence_check":null,"api_only":false,"max_downloads":null,"created":"2026-01-15T12:00:00.000Z"}"#);
    ada.delete("/users/ada/access_keys/client").await.refuses(200, "success");
    for missing in [ada.get("/users/ada/access_keys/client"), ada.delete("/users/ada/access_keys/client")] {
        missing.await.refuses(404, "Access key 'client' was not found");
    }
}

#[tokio::test]
async fn a_password_is_made_when_none_is_given() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    let made = ada.post("/users/ada/access_keys").json(json!({"id": "client"})).await.expect(201);
    assert!(ApiKey::presented(made.json()["password"].as_str().expect("a text")).is_well_formed());
    assert_eq!(made.header("cache-control"), "no-store");
    let shown = ada.get("/users/ada/access_keys/client").await.expect(200).json();
    assert_eq!((&shown["existence_check"], &shown["password"]), (&Value::Null, &Value::Null));
}

#[tokio::test]
async fn a_password_is_replaced_by_the_server_or_by_hand() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    let first = house.key(&ada, "client", json!({})).await;
    first.get("/licenses/oss_licenses").await.expect(200);
    let renewed = ada.post("/users/ada/access_keys/client/password").await.expect(201).json();
    first.get("/licenses/oss_licenses").await.refuses(401, "The user name or the API key is wrong");
    let second = house.person("client@ada", renewed["password"].as_str().expect("a text"));
    assert_eq!(renewed["username"], "client@ada");
    second.get("/licenses/oss_licenses").await.expect(200);
    ada.patch("/users/ada/access_keys/client").json(json!({"password": "by hand 8 times"})).await.expect(200);
    second.get("/licenses/oss_licenses").await.expect(401);
    house.person("client@ada", "by hand 8 times").get("/licenses/oss_licenses").await.expect(200);
    ada.post("/users/ada/access_keys/none/password").await.refuses(404, "Access key 'none' was not found");
}

#[tokio::test]
async fn keys_have_one_name_each_and_the_calls_have_two() {
    let house = TestHouse::start().await;
    let (ada, bob) = (house.user("ada").await, house.user("bob").await);
    ada.post("/users/ada/download_keys").json(json!({"id": "Client"})).await.expect(201);
    for taken in ["Client", "client"] {
        let again = ada.post("/users/ada/access_keys").json(json!({ "id": taken })).await;
        again.refuses(409, &format!("Access key '{taken}' already exists"));
    }
    bob.post("/users/bob/access_keys").json(json!({"id": "Client"})).await.expect(201);
    assert_eq!(ada.get("/v1/users/ada/download_keys").await.expect(200).text(), r#"{"access_keys":["Client"]}"#);
    ada.get("/users/ada/download_keys/Client/usage").await.expect(200);
    ada.delete("/users/ada/download_keys/Client").await.expect(200);
}

#[tokio::test]
async fn keys_are_managed_by_those_who_run_the_account() {
    let cast = Cast::start().await;
    cast.org("acme").await;
    let mut table = String::new();
    for (role, actor) in cast.actors() {
        let id = role.replace(' ', "-");
        let path = format!("/orgs/acme/access_keys/{id}");
        let list = actor.get("/orgs/acme/access_keys").await.status;
        let create = actor.post("/orgs/acme/access_keys").json(json!({ "id": id })).await.status;
        cast.owner.post("/orgs/acme/access_keys").json(json!({ "id": id })).await;
        let show = actor.get(&path).await.status;
        let usage = actor.get(&format!("{path}/usage")).await.status;
        let edit = actor.patch(&path).json(json!({"api_only": true})).await.status;
        let renew = actor.post(&format!("{path}/password")).await.status;
        let delete = actor.delete(&path).await.status;
        let user = actor.post("/users/nora/access_keys").json(json!({ "id": id })).await.status;
        table += &format!("{role}: {list} {create} {show} {usage} {edit} {renew} {delete}, of a user {user}\n");
    }
    insta::assert_snapshot!(table, @"
    owner: 200 201 200 200 200 201 200, of a user 403
    admin: 200 201 200 200 200 201 200, of a user 403
    member: 403 403 403 403 403 403 403, of a user 403
    stranger: 403 403 403 403 403 403 403, of a user 403
    site admin: 200 201 200 200 200 201 200, of a user 201
    ");
    cast.stranger.get("/orgs/none/access_keys").await.refuses(404, "Organization 'none' was not found");
    cast.house.anyone().get("/orgs/acme/access_keys").await.expect(401);
}

#[tokio::test]
async fn a_key_manages_no_keys() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    let client = house.key(&ada, "client", json!({})).await;
    client.get("/users/ada/access_keys").await.refuses(403, "You may not do this");
    client.post("/users/ada/access_keys/client/password").await.refuses(403, "You may not do this");
    client.get("/users/client@ada").await.expect(400);
}

#[tokio::test]
async fn the_free_plan_makes_no_keys_and_keeps_those_that_are_there() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    let client = house.key(&ada, "client", json!({})).await;
    house.admin().put("/subjects/ada/plan").json(json!({"plan": "free"})).await.expect(200);
    let refusal = "This needs the plan 'premium' or more";
    ada.post("/users/ada/access_keys").json(json!({"id": "other"})).await.refuses(403, refusal);
    ada.patch("/users/ada/access_keys/client").json(json!({"api_only": true})).await.refuses(403, refusal);
    ada.post("/users/ada/access_keys/client/password").await.refuses(403, refusal);
    client.get("/licenses/oss_licenses").await.expect(200);
    ada.get("/users/ada/access_keys/client").await.expect(200);
    ada.delete("/users/ada/access_keys/client").await.expect(200);
    client.get("/licenses/oss_licenses").await.expect(401);
}

#[tokio::test]
async fn a_bad_field_of_a_key_is_named_and_nothing_is_stored() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    let bodies = [
        "{}",
        r#"{"id": 1}"#,
        r#"{"id": "a@b"}"#,
        r#"{"id": "a", "password": "seven77"}"#,
        r#"{"id": "a", "password": "pässword-pässword"}"#,
        r#"{"id": "a", "password": "no-no-no-no-no-"}"#,
        r#"{"id": "a", "password": "abcdefghijklmn"}"#,
        r#"{"id": "a", "password": "Password1234"}"#,
        r#"{"id": "a", "expiry": 1768478400000}"#,
        r#"{"id": "a", "expiry": 99999999999999999}"#,
        r#"{"id": "a", "expiry": "tomorrow"}"#,
        r#"{"id": "a", "white_cidrs": "10.0.0.0/8"}"#,
        r#"{"id": "a", "white_cidrs": ["10.0.0.0/33"]}"#,
        r#"{"id": "a", "white_cidrs": ["10.0.0.0/8"], "black_cidrs": ["10.1.1.1/8"]}"#,
        r#"{"id": "a", "api_only": 1}"#,
        r#"{"id": "a", "max_downloads": 0}"#,
        r#"{"id": "a", "max_downloads": 1.5}"#,
        r#"{"id": "a", "existence_check": {"cache_for_secs": 5}}"#,
        r#"{"id": "a", "existence_check": {"url": "ftp://example.org"}}"#,
        r#"{"id": "a", "existence_check": {"url": "https://:username:password@example.org/"}}"#,
        r#"{"id": "a", "existence_check": {"url": "https://example.org:password/"}}"#,
        r#"{"id": "a", "existence_check": {"url": "http://169.254.169.254/latest"}}"#,
        r#"{"id": "a", "existence_check": {"url": "http://[::ffff:10.0.0.1]/"}}"#,
        r#"{"id": "a", "existence_check": {"url": "https://example.org", "cache_for_secs": 86401}}"#,
    ];
    let mut refusals = String::new();
    for body in bodies {
        refusals += &format!("{}\n", ada.post("/users/ada/access_keys").body(body).await.expect(400).message());
    }
    insta::assert_snapshot!(refusals, @r#"
    missing field `id`
    id: invalid type: integer `1`, expected a string
    id: access key name 'a@b' is not valid: it may hold letters, digits, '.', '_' and '-' only
    password: it must be 12 to 256 printable ASCII characters; leave it out and the server makes one
    password: it must be 12 to 256 printable ASCII characters; leave it out and the server makes one
    password: it repeats itself; choose other characters, or leave it out and the server makes one
    password: it is a sequence; choose other characters, or leave it out and the server makes one
    password: it is a word that is tried first; add more to it, or leave it out and the server makes one
    expiry: it must be a future time, in milliseconds since 1970
    expiry: it must be a future time, in milliseconds since 1970
    expiry: invalid type: string "tomorrow", expected i64
    white_cidrs: invalid type: string "10.0.0.0/8", expected a sequence
    white_cidrs: '10.0.0.0/33' is not a network such as 10.0.0.0/8 or 2001:db8::/32
    black_cidrs: '10.0.0.0/8' is in white_cidrs, too
    api_only: invalid type: integer `1`, expected a boolean
    max_downloads: it must be a number from 1 to 2^53
    max_downloads: invalid type: floating point `1.5`, expected i64
    existence_check.url: it is required
    existence_check.url: it must begin with http:// or https://
    existence_check.url: it may not hold a login
    existence_check.url: it is not a URL: invalid port number
    existence_check.url: '169.254.169.254' is not a public address
    existence_check.url: '[::ffff:a00:1]' is not a public address
    existence_check.cache_for_secs: it must be a number from 0 to 86400
    "#);
    assert_eq!(ada.get("/users/ada/access_keys").await.expect(200).text(), r#"{"access_keys":[]}"#);
    house.key(&ada, "client", json!({"white_cidrs": ["10.0.0.0/8"]})).await;
    let both = ada.patch("/users/ada/access_keys/client").json(json!({"black_cidrs": ["10.0.0.0/8"]})).await;
    both.refuses(400, "black_cidrs: '10.0.0.0/8' is in white_cidrs, too");
}
