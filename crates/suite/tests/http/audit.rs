//! What the audit log holds.

use operations::site;
use reqwest::Method;
use serde_json::{Value, json};
use suite::{Call, Person, TestHouse};

use crate::{acme::set_member, together::together};

/// A call that changes something, for each that there is.
struct Step {
    method: Method,
    /// The endpoint's path as the server has it.
    endpoint: &'static str,
    path: &'static str,
    body: Value,
}

fn step(method: Method, endpoint: &'static str, path: &'static str, body: Value) -> Step {
    Step { method, endpoint, path, body }
}

/// One call of every endpoint that changes something, each possible after the ones before it.
fn scenario() -> Vec<Step> {
    let none = Value::Null;
    vec![
        step(Method::POST, "/users", "/users", json!({"name": "bea", "password": "difference"})),
        step(
            Method::PATCH,
            "/users/{user}",
            "/users/bea",
            json!({"email": "bea@example.org", "password": "analytical"}),
        ),
        step(Method::POST, "/users/{user}/api_key", "/users/bea/api_key", none.clone()),
        step(Method::POST, "/orgs", "/orgs", json!({"name": "acme"})),
        step(Method::PATCH, "/orgs/{org}", "/orgs/acme", json!({"full_name": "Acme"})),
        step(Method::PUT, "/orgs/{org}/members/{user}", "/orgs/acme/members/bea", json!({"type": "admin"})),
        step(Method::DELETE, "/orgs/{org}/members/{user}", "/orgs/acme/members/bea", none.clone()),
        step(Method::PUT, "/subjects/{subject}/plan", "/subjects/bea/plan", json!({"plan": "free"})),
        step(Method::DELETE, "/orgs/{org}", "/orgs/acme", none.clone()),
        step(Method::DELETE, "/users/{user}", "/users/bea", none),
    ]
}

impl Step {
    fn by(&self, person: &Person) -> Call {
        let call = person.call(self.method.clone(), self.path);
        if self.body.is_null() { call } else { call.json(self.body.clone()) }
    }
}

#[tokio::test]
async fn every_call_that_changes_something_adds_one_entry() {
    let house = TestHouse::start().await;
    let mut covered = Vec::new();
    for step in scenario() {
        let before = total(&house).await;
        let answer = step.by(&house.admin()).await;
        assert!(answer.status < 300, "{} {}: {}", step.method, step.path, answer.text());
        assert_eq!(total(&house).await, before + 1, "{} {}", step.method, step.path);
        covered.push(format!("{} {}", step.method, step.endpoint));
    }
    for endpoint in server::endpoints().into_iter().filter(|endpoint| endpoint.method != Method::GET) {
        let name = format!("{} {}", endpoint.method, endpoint.path);
        assert!(covered.contains(&name), "`{name}` changes something: add it to the scenario of this test");
    }
    insta::assert_snapshot!(entries(&house).await, @r#"
    11 admin user.delete bea ()
    10 admin org.delete acme ()
    9 admin plan.set bea (free)
    8 admin member.remove acme/bea ()
    7 admin member.set acme/bea (admin)
    6 admin org.edit acme (full_name)
    5 admin org.create acme ()
    4 admin user.rotate_key bea ()
    3 admin user.edit bea (email, password)
    2 admin user.create bea (plan premium)
    1 (console) user.create admin (plan enterprise)
    "#);
    assert_eq!(site::find_damage(house.app().house()).await.expect("it looks"), [""; 0]);
}

#[tokio::test]
async fn refused_calls_add_nothing() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    house.user("bea").await;
    house.admin().post("/orgs").json(json!({"name": "acme"})).await.expect(201);
    set_member(&house.admin(), "acme", "bea", "member").await;
    let before = total(&house).await;
    for step in scenario() {
        step.by(&house.anyone()).await.refuses(401, "This resource requires authentication");
        let refused = step.by(&ada).await.status;
        assert!(matches!(refused, 403 | 409), "{} {}: {refused}", step.method, step.path);
    }
    house.admin().post("/users").json(json!({"name": "ada"})).await.expect(409);
    house.admin().post("/users").json(json!({"name": "api"})).await.expect(400);
    house.admin().delete("/users/admin").await.expect(409);
    house.admin().delete("/users/nobody").await.expect(404);
    house.admin().delete("/orgs/acme/members/admin").await.expect(409);
    house.admin().delete("/orgs/acme/members/ada").await.expect(404);
    assert_eq!(total(&house).await, before);
}

#[tokio::test]
async fn an_entry_tells_who_did_what_when_and_from_where() {
    let house = TestHouse::start_with(&[("open_registration", "true")]).await;
    house.anyone().post("/users").json(json!({"name": "ada"})).await.expect(201);
    house.clock.advance(1_500);
    house.admin().put("/subjects/ada/plan").json(json!({"plan": "free"})).await.expect(200);
    let shown = house.admin().get("/audit").await.expect(200);
    let mut masked = shown.text();
    for entry in shown.json().as_array().expect("a list") {
        for field in ["hash", "request_id"] {
            let value = entry[field].as_str().expect("a text");
            masked = masked.replace(&format!(r#""{field}":"{value}""#), &format!(r#""{field}":"{}""#, value.len()));
        }
    }
    insta::assert_snapshot!(masked.replace("},", "},\n"), @r#"
    [{"seq":3,"at":"2026-01-15T12:00:01.500Z","actor":"admin","action":"plan.set","target":"ada","detail":"free","address":"127.0.0.1","request_id":"16","hash":"64"},
    {"seq":2,"at":"2026-01-15T12:00:00.000Z","actor":"(anonymous)","action":"user.create","target":"ada","detail":"plan premium","address":"127.0.0.1","request_id":"16","hash":"64"},
    {"seq":1,"at":"2026-01-15T12:00:00.000Z","actor":"(console)","action":"user.create","target":"admin","detail":"plan enterprise","address":"console","request_id":"0","hash":"64"}]
    "#);
}

#[tokio::test]
async fn the_log_is_for_site_administrators() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    ada.post("/orgs").json(json!({"name": "acme"})).await.expect(201);
    ada.get("/audit").await.refuses(403, "You may not do this");
    house.anyone().get("/audit").await.refuses(401, "This resource requires authentication");
    house.person("ada", "wrong").get("/audit").await.expect(401);
}

#[tokio::test]
async fn no_entry_holds_a_secret() {
    let house = TestHouse::start().await;
    let body = json!({"name": "ada", "password": "difference engine", "email": "ada@example.org"});
    let created = house.admin().post("/users").json(body).await.expect(201).json();
    let first = house.person("ada", created["api_key"].as_str().expect("a key"));
    let rotated = first.post("/users/ada/api_key").await.expect(201).json();
    let second = house.person("ada", rotated["api_key"].as_str().expect("a key"));
    second.patch("/users/ada").json(json!({"password": "analytical engine"})).await.expect(200);
    second.delete("/users/ada").await.expect(200);
    let log = house.admin().get("/audit").await.expect(200).text();
    let secrets = [first.key(), second.key(), "engine", "argon2", "phk_", house.admin().key()].map(str::to_owned);
    for secret in secrets {
        assert!(!log.contains(&secret), "the log holds `{secret}`");
    }
    assert!(log.contains("user.rotate_key"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_chain_holds_when_many_write_at_once() {
    let house = TestHouse::start().await;
    let create = |number: usize| house.admin().post("/users").json(json!({ "name": format!("ada{number}") }));
    for answer in together((0..40).map(create)).await {
        answer.expect(201);
    }
    let list = house.admin().get("/audit").await.expect(200).json();
    let places: Vec<i64> = list.as_array().expect("a list").iter().filter_map(|entry| entry["seq"].as_i64()).collect();
    assert_eq!(places, (1..=41).rev().collect::<Vec<i64>>());
    assert_eq!(site::find_damage(house.app().house()).await.expect("it looks"), [""; 0]);
}

/// How many entries there are.
async fn total(house: &TestHouse) -> u64 {
    let answer = house.admin().get("/audit").await.expect(200);
    answer.header("x-rangelimit-total").parse().expect("the total is a number")
}

/// The newest entries, one a line.
async fn entries(house: &TestHouse) -> String {
    let list = house.admin().get("/audit").await.expect(200).json();
    let text = |entry: &Value, field: &str| entry[field].as_str().unwrap_or_default().to_owned();
    let line = |entry: &Value| {
        let [actor, action, target] = ["actor", "action", "target"].map(|field| text(entry, field));
        format!("{} {actor} {action} {target} ({})", entry["seq"], text(entry, "detail"))
    };
    list.as_array().expect("a list").iter().map(line).collect::<Vec<_>>().join("\n")
}
