//! The content of the audit log.

mod accounts;
mod catalogue;
mod changes;
mod content;
mod rights;
mod scenario;
mod signing;
mod step;

use operations::maintenance::site;
use serde_json::{Value, json};
use suite::TestHouse;

use crate::{cluster::together::together, content::cat};

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
    [{"seq":3,"at":"2026-01-15T12:00:01.500Z","actor":"admin","action":"plan.set","target":"ada","detail":"plan: premium -> free","address":"127.0.0.1","request_id":"16","hash":"64"},
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

/// Returns the newest entry, as an action with its detail.
async fn newest(house: &TestHouse) -> String {
    let entry = house.admin().get("/audit").await.expect(200).json()[0].clone();
    format!("{} {}", entry["action"].as_str().unwrap_or_default(), entry["detail"].as_str().unwrap_or_default())
}

#[tokio::test]
async fn an_edit_is_written_down_from_what_to_what() {
    let (house, ada) = cat().await;
    ada.patch("/repos/ada/tools").json(json!({"private": true, "desc": "Tools", "labels": []})).await.expect(200);
    assert_eq!(newest(&house).await, r#"repo.edit private: false -> true; desc: "" -> "Tools""#);
    ada.patch("/repos/ada/tools").json(json!({"private": true, "version_update_max_days": 3})).await.expect(200);
    assert_eq!(newest(&house).await, "repo.edit version_update_max_days: none -> 3");
    ada.patch("/packages/ada/tools/cat").json(json!({"licenses": ["MIT"], "vcs_url": "https://x"})).await.expect(200);
    assert_eq!(newest(&house).await, r#"package.edit licenses: [] -> ["MIT"]; vcs_url: none -> "https://x""#);
    ada.patch("/users/ada").json(json!({"full_name": "Ada L.", "password": "analytical engine"})).await.expect(200);
    assert_eq!(newest(&house).await, r#"user.edit full_name: "ada" -> "Ada L."; password: replaced"#);
    let check = json!({"url": "https://example.org/secret-path?t=1", "cache_for_secs": 5});
    ada.post("/users/ada/access_keys").json(json!({"id": "k"})).await.expect(201);
    let terms = json!({"password": "a password of mine", "existence_check": check, "white_cidrs": ["10.0.0.0/8"]});
    ada.patch("/users/ada/access_keys/k").json(terms).await.expect(200);
    let said = "access_key.edit white_cidrs: [] -> [10.0.0.0/8]; existence_check: none -> https://example.org for 5 s; \
        password: replaced";
    assert_eq!(newest(&house).await, said);
    let long = json!({ "desc": "ü".repeat(5_000) });
    ada.patch("/repos/ada/tools").json(long).await.expect(200);
    assert_eq!(newest(&house).await, format!("repo.edit desc: \"Tools\" -> \"{}…", "ü".repeat(199)));
    let page = house.admin().get("//-/admin/audit").await.expect(200);
    assert!(
        page.text().contains("version_update_max_days: none -&#62; 3") || page.text().contains("none -&gt; 3"),
        "{}",
        page.text()
    );
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

/// Returns the number of entries.
async fn total(house: &TestHouse) -> u64 {
    let answer = house.admin().get("/audit").await.expect(200);
    answer.header("x-rangelimit-total").parse().expect("the total is a number")
}

/// Returns the newest hundred and fifty entries, one per line.
async fn entries(house: &TestHouse) -> String {
    let page = async |start| house.admin().get(&format!("/audit?start_pos={start}")).await.expect(200).json();
    let pages = [page(0).await, page(50).await, page(100).await];
    let text = |entry: &Value, field: &str| entry[field].as_str().unwrap_or_default().to_owned();
    let line = |entry: &Value| {
        let [actor, action, target] = ["actor", "action", "target"].map(|field| text(entry, field));
        // Ids of requests and access keys, and fingerprints of signing keys.
        let is_id = |word: &&str| matches!(word.len(), 16 | 40) && word.bytes().all(|byte| byte.is_ascii_hexdigit());
        let detail = text(entry, "detail");
        let detail = detail.split([' ', ';']).find(is_id).map_or(detail.clone(), |id| detail.replace(id, "ID"));
        format!("{actor} {action} {target} ({detail})")
    };
    pages.iter().filter_map(Value::as_array).flatten().map(line).collect::<Vec<_>>().join("\n")
}
