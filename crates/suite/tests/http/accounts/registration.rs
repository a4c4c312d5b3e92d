//! New users.

use serde_json::json;
use suite::{Answer, TestHouse};

use crate::{
    accounts::plans::plan_of,
    cluster::together::{statuses, together},
};

/// All names that are reserved for pages and surfaces.
const RESERVED: [&str; 22] = [
    "about", "account", "admin", "api", "assets", "dl", "docs", "eula", "health", "help", "livez", "login", "logout",
    "metrics", "new", "readyz", "search", "settings", "signup", "static", "v1", "v2",
];

#[tokio::test]
async fn a_new_user_is_answered_with_every_field_of_the_contract_and_its_key() {
    let house = TestHouse::start().await;
    let body =
        json!({"name": "ada", "full_name": "Ada Lovelace", "email": "ada@example.org", "password": "difference"});
    let created = house.admin().post("/users").json(body).await.expect(201);
    let key = key_of(&created);
    insta::assert_snapshot!(created.text().replace(&key, "(key)"), @r#"{"name":"ada","full_name":"Ada Lovelace","gravatar_id":"5bfcf2d8e394674550332640d72db509","repos":[],"organizations":[],"followers_count":0,"registered":"2026-01-15T12:00:00.000Z","quota_used_bytes":0,"api_key":"(key)"}"#);
    assert_eq!(created.header("content-type"), "application/json");
    house.person("ada", &key).get("/users/ada").await.expect(200);
}

#[tokio::test]
async fn a_key_is_shown_once_and_never_again() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    let later = [
        ada.get("/users/ada").await.expect(200),
        ada.patch("/users/ada").json(json!({"full_name": "Ada"})).await.expect(200),
        house.admin().get("/users/ada").await.expect(200),
        house.admin().get("/audit").await.expect(200),
    ];
    for answer in later {
        assert!(!answer.text().contains(ada.key()) && !answer.text().contains("api_key"), "{}", answer.text());
    }
}

#[tokio::test]
async fn a_user_with_a_name_alone_is_called_by_it() {
    let house = TestHouse::start().await;
    let created = house.admin().post("/users").json(json!({"name": "Ada-1"})).await.expect(201);
    let text = created.text().replace(&key_of(&created), "(key)");
    insta::assert_snapshot!(text, @r#"{"name":"Ada-1","full_name":"Ada-1","gravatar_id":"","repos":[],"organizations":[],"followers_count":0,"registered":"2026-01-15T12:00:00.000Z","quota_used_bytes":0,"api_key":"(key)"}"#);
    let blank = json!({"name": "bob", "full_name": "  ", "email": null, "password": null, "plan": null});
    assert_eq!(house.admin().post("/users").json(blank).await.expect(201).json()["full_name"], "bob");
}

#[tokio::test]
async fn the_gravatar_id_is_the_md5_of_the_trimmed_address_in_lower_case() {
    let house = TestHouse::start().await;
    let body = json!({"name": "ada", "email": " MyEmailAddress@example.com "});
    let created = house.admin().post("/users").json(body).await.expect(201).json();
    assert_eq!(created["gravatar_id"], "0bc83cb571cd1c50ba6f3e8a78ef1346");
}

#[tokio::test]
async fn a_name_is_taken_in_every_letter_case_and_by_organizations_too() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    ada.post("/orgs").json(json!({"name": "Acme"})).await.expect(201);
    let create = |name: &str| house.admin().post("/users").json(json!({ "name": name }));
    create("ada").await.refuses(409, "Subject 'ada' already exists");
    create("ADA").await.refuses(409, "Subject 'ADA' already exists");
    create("acme").await.refuses(409, "Subject 'acme' already exists");
    ada.post("/orgs").json(json!({"name": "aDa"})).await.refuses(409, "Subject 'aDa' already exists");
}

#[tokio::test]
async fn reserved_names_are_nobodys() {
    let house = TestHouse::start().await;
    for name in RESERVED.into_iter().chain(["API", "Login"]) {
        let message = format!("name: '{name}' is reserved");
        house.admin().post("/users").json(json!({ "name": name })).await.refuses(400, &message);
        house.admin().post("/orgs").json(json!({ "name": name })).await.refuses(400, &message);
    }
}

#[tokio::test]
async fn a_bad_field_is_named_with_its_value() {
    let house = TestHouse::start().await;
    let bodies = [
        "nonsense",
        "{}",
        r#"{"name": null}"#,
        r#"{"name": 7}"#,
        r#"{"name": ""}"#,
        r#"{"name": "-ada"}"#,
        r#"{"name": "ada lovelace"}"#,
        r#"{"name": "ada", "name": "ada"}"#,
        r#"{"name": "ada", "email": "nobody"}"#,
        r#"{"name": "ada", "email": ""}"#,
        r#"{"name": "ada", "email": ["a@b"]}"#,
        r#"{"name": "ada", "full_name": "A\nda"}"#,
        r#"{"name": "ada", "full_name": "A\u0000da"}"#,
        r#"{"name": "ada", "full_name": 1}"#,
        r#"{"name": "ada", "password": "short"}"#,
        r#"{"name": "ada", "password": 12345678}"#,
        r#"{"name": "ada", "plan": "gold"}"#,
        r#"{"name": "ada", "plan": "Free"}"#,
    ];
    let mut refusals = String::new();
    for body in bodies {
        let answer = house.admin().post("/users").body(body).await.expect(400);
        refusals += &format!("{body} -> {}\n", answer.message());
    }
    insta::assert_snapshot!(refusals, @r#"
    nonsense -> The body is not valid JSON: expected ident at line 1 column 2
    {} -> missing field `name`
    {"name": null} -> name: invalid type: null, expected a string
    {"name": 7} -> name: invalid type: integer `7`, expected a string
    {"name": ""} -> name: subject name '' is not valid: it is empty
    {"name": "-ada"} -> name: subject name '-ada' is not valid: it must begin with a letter or a digit
    {"name": "ada lovelace"} -> name: subject name 'ada lovelace' is not valid: it may hold letters, digits, '.', '_' and '-' only
    {"name": "ada", "name": "ada"} -> The body is not valid JSON: the key `name` is given twice at line 1 column 30
    {"name": "ada", "email": "nobody"} -> email: 'nobody' is not an e-mail address
    {"name": "ada", "email": ""} -> email: '' is not an e-mail address
    {"name": "ada", "email": ["a@b"]} -> email: invalid type: sequence, expected a string
    {"name": "ada", "full_name": "A\nda"} -> full_name: it holds a control character
    {"name": "ada", "full_name": "A\u0000da"} -> The body is not valid JSON: a text holds a NUL character at line 1 column 40
    {"name": "ada", "full_name": 1} -> full_name: invalid type: integer `1`, expected a string
    {"name": "ada", "password": "short"} -> password: it must have 8 to 200 bytes
    {"name": "ada", "password": 12345678} -> password: invalid type: integer `12345678`, expected a string
    {"name": "ada", "plan": "gold"} -> plan: 'gold' is not one of free, premium, enterprise
    {"name": "ada", "plan": "Free"} -> plan: 'Free' is not one of free, premium, enterprise
    "#);
    house.admin().post("/users").await.refuses(400, "A JSON body is required");
    let refused = house.admin().post("/users").json(json!({ "name": "ada", "full_name": "x".repeat(201) })).await;
    refused.refuses(400, "full_name: it is longer than 200 bytes");
    let refused = house.admin().post("/users").json(json!({ "name": "x".repeat(101) })).await.expect(400);
    assert!(refused.message().ends_with("it is longer than 100 characters"), "{}", refused.message());
    house.admin().get("/users/ada").await.refuses(404, "User 'ada' was not found");
}

#[tokio::test]
async fn registration_is_closed_until_the_operator_opens_it() {
    let house = TestHouse::start().await;
    let bob = house.user("bob").await;
    let ada = json!({"name": "ada"});
    let refused = house.anyone().post("/users").json(ada.clone()).await;
    let refused = refused.refuses(401, "This resource requires authentication");
    assert!(refused.header("www-authenticate").starts_with("Basic"), "{:?}", refused.headers);
    bob.post("/users").json(ada).await.refuses(403, "You may not do this");
    house.admin().get("/users/ada").await.expect(404);
}

#[tokio::test]
async fn open_registration_takes_anyone_but_gives_no_plan_away() {
    let house = TestHouse::start_with(&[("open_registration", "true")]).await;
    let created = house.anyone().post("/users").json(json!({"name": "ada"})).await.expect(201);
    let ada = house.person("ada", &key_of(&created));
    ada.post("/users").json(json!({"name": "bob"})).await.expect(201);
    let refusal = "Only a site administrator sets a plan";
    let rich = json!({"name": "rich", "plan": "enterprise"});
    house.anyone().post("/users").json(rich.clone()).await.refuses(403, refusal);
    ada.post("/users").json(rich).await.refuses(403, refusal);
    ada.get("/users/rich").await.refuses(404, "User 'rich' was not found");
    assert_eq!(plan_of(&house, "ada").await, "premium");
    house.person("ada", "wrong").post("/users").json(json!({"name": "eve"})).await.expect(401);
}

#[tokio::test]
async fn the_plan_is_the_administrators_or_the_houses() {
    let house = TestHouse::start_with(&[("default_plan", "free")]).await;
    house.user("ada").await;
    house.admin().post("/users").json(json!({"name": "bob", "plan": "enterprise"})).await.expect(201);
    house.admin().post("/orgs").json(json!({"name": "acme"})).await.expect(201);
    let plans = [plan_of(&house, "ada").await, plan_of(&house, "bob").await, plan_of(&house, "acme").await];
    assert_eq!(plans, ["free", "enterprise", "free"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_fifty_creations_of_one_name_at_once_one_succeeds() {
    let house = TestHouse::start().await;
    let create = |name: &str| house.admin().post("/users").json(json!({ "name": name }));
    let answers = together(["ada", "Ada"].into_iter().cycle().take(50).map(create)).await;
    let mut expected = vec![201];
    expected.resize(50, 409);
    assert_eq!(statuses(&answers), expected);
    let org = |_| house.admin().post("/orgs").json(json!({"name": "acme"}));
    assert_eq!(statuses(&together((0..50).map(org)).await), expected);
}

fn key_of(created: &Answer) -> String {
    created.json()["api_key"].as_str().expect("a new user has a key").to_owned()
}
