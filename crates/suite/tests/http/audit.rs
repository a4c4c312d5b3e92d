//! What the audit log holds.

use operations::site;
use reqwest::Method;
use serde_json::{Value, json};
use server::Endpoint;
use suite::{Call, Person, TestHouse};

use crate::{
    acme::set_member,
    content::{cat, upload as upload_waiting},
    grants::new_product,
    together::together,
};

/// A call that changes something, for each that there is.
struct Step {
    method: Method,
    /// The endpoint's path as the server has it.
    endpoint: &'static str,
    path: &'static str,
    body: String,
}

fn step(method: Method, endpoint: &'static str, path: &'static str, body: Value) -> Step {
    let body = if body.is_null() { String::new() } else { body.to_string() };
    Step { method, endpoint, path, body }
}

/// A step whose body is the content of a file.
fn upload(endpoint: &'static str, path: &'static str) -> Step {
    Step { method: Method::PUT, endpoint, path, body: "meow".to_owned() }
}

const PUBLISH: &str = "/content/{subject}/{repo}/{package}/{version}/publish";

const LINK: &str = "/repository/{subject}/{repo}/links/{source_subject}/{source_repo}/{source_package}";

/// One call of every endpoint that changes something, each possible after the ones before it.
fn scenario() -> Vec<Step> {
    let none = Value::Null;
    let mut steps = vec![
        step(Method::POST, "/users", "/users", json!({"name": "bea", "password": "difference"})),
        step(
            Method::PATCH,
            "/users/{user}",
            "/users/bea",
            json!({"email": "bea@example.org", "password": "analytical"}),
        ),
        step(Method::POST, "/users/{user}/api_key", "/users/bea/api_key", none.clone()),
        step(
            Method::POST,
            "/users/{user}/access_keys",
            "/users/bea/access_keys",
            json!({"id": "client", "password": "difference"}),
        ),
        step(
            Method::PATCH,
            "/users/{user}/access_keys/{access_key}",
            "/users/bea/access_keys/client",
            json!({"password": "analytical", "api_only": true}),
        ),
        step(
            Method::POST,
            "/users/{user}/access_keys/{access_key}/password",
            "/users/bea/access_keys/client/password",
            none.clone(),
        ),
        step(Method::DELETE, "/users/{user}/access_keys/{access_key}", "/users/bea/access_keys/client", none.clone()),
        step(Method::POST, "/orgs", "/orgs", json!({"name": "acme"})),
        step(
            Method::POST,
            "/orgs/{org}/access_keys",
            "/orgs/acme/access_keys",
            json!({"id": "client", "password": "difference"}),
        ),
        step(
            Method::PATCH,
            "/orgs/{org}/access_keys/{access_key}",
            "/orgs/acme/access_keys/client",
            json!({"password": "analytical", "api_only": true}),
        ),
        step(
            Method::POST,
            "/orgs/{org}/access_keys/{access_key}/password",
            "/orgs/acme/access_keys/client/password",
            none.clone(),
        ),
        step(Method::DELETE, "/orgs/{org}/access_keys/{access_key}", "/orgs/acme/access_keys/client", none.clone()),
        step(Method::PATCH, "/orgs/{org}", "/orgs/acme", json!({"full_name": "Acme"})),
        step(Method::PUT, "/orgs/{org}/members/{user}", "/orgs/acme/members/bea", json!({"type": "admin"})),
        step(Method::DELETE, "/orgs/{org}/members/{user}", "/orgs/acme/members/bea", none.clone()),
        step(Method::PUT, "/subjects/{subject}/plan", "/subjects/bea/plan", json!({"plan": "free"})),
        step(Method::POST, "/repos/{subject}/{repo}", "/repos/acme/tools", json!({"type": "maven"})),
        step(Method::PATCH, "/repos/{subject}/{repo}", "/repos/acme/tools", json!({"desc": "Tools"})),
        step(Method::POST, "/packages/{subject}/{repo}", "/packages/acme/tools", json!({"name": "cat"})),
        step(Method::PATCH, "/packages/{subject}/{repo}/{package}", "/packages/acme/tools/cat", json!({"desc": "Cat"})),
        step(
            Method::POST,
            "/packages/{subject}/{repo}/{package}/versions",
            "/packages/acme/tools/cat/versions",
            json!({"name": "1.0"}),
        ),
        step(
            Method::PATCH,
            "/packages/{subject}/{repo}/{package}/versions/{version}",
            "/packages/acme/tools/cat/versions/1.0",
            json!({"desc": "The first"}),
        ),
        step(
            Method::POST,
            "/packages/{subject}/{repo}/{package}/attributes",
            "/packages/acme/tools/cat/attributes",
            json!([{"name": "a", "values": [1]}]),
        ),
        step(
            Method::PATCH,
            "/packages/{subject}/{repo}/{package}/attributes",
            "/packages/acme/tools/cat/attributes",
            json!([{"name": "b", "values": ["x"]}]),
        ),
        step(
            Method::DELETE,
            "/packages/{subject}/{repo}/{package}/attributes",
            "/packages/acme/tools/cat/attributes",
            none.clone(),
        ),
        step(
            Method::POST,
            "/packages/{subject}/{repo}/{package}/versions/{version}/attributes",
            "/packages/acme/tools/cat/versions/1.0/attributes",
            json!([{"name": "a", "values": [1]}]),
        ),
        step(
            Method::PATCH,
            "/packages/{subject}/{repo}/{package}/versions/{version}/attributes",
            "/packages/acme/tools/cat/versions/1.0/attributes",
            json!([{"name": "b", "values": ["x"]}]),
        ),
        step(
            Method::DELETE,
            "/packages/{subject}/{repo}/{package}/versions/{version}/attributes",
            "/packages/acme/tools/cat/versions/1.0/attributes",
            none.clone(),
        ),
        step(
            Method::POST,
            "/packages/{subject}/{repo}/{package}/readme",
            "/packages/acme/tools/cat/readme",
            json!({"syntax": "markdown", "content": "# Cat"}),
        ),
        step(
            Method::DELETE,
            "/packages/{subject}/{repo}/{package}/readme",
            "/packages/acme/tools/cat/readme",
            none.clone(),
        ),
        step(
            Method::POST,
            "/packages/{subject}/{repo}/{package}/release_notes",
            "/packages/acme/tools/cat/release_notes",
            json!({"syntax": "markdown", "content": "# Cat"}),
        ),
        step(
            Method::DELETE,
            "/packages/{subject}/{repo}/{package}/release_notes",
            "/packages/acme/tools/cat/release_notes",
            none.clone(),
        ),
        step(
            Method::POST,
            "/packages/{subject}/{repo}/{package}/versions/{version}/release_notes",
            "/packages/acme/tools/cat/versions/1.0/release_notes",
            json!({"syntax": "markdown", "content": "# Cat"}),
        ),
        step(
            Method::DELETE,
            "/packages/{subject}/{repo}/{package}/versions/{version}/release_notes",
            "/packages/acme/tools/cat/versions/1.0/release_notes",
            none.clone(),
        ),
        step(
            Method::PUT,
            "/packages/{subject}/{repo}/{package}/follow",
            "/packages/acme/tools/cat/follow",
            none.clone(),
        ),
        step(
            Method::DELETE,
            "/packages/{subject}/{repo}/{package}/follow",
            "/packages/acme/tools/cat/follow",
            none.clone(),
        ),
        step(
            Method::PUT,
            "/packages/{subject}/{repo}/{package}/rating",
            "/packages/acme/tools/cat/rating",
            json!({"rating": 4}),
        ),
        upload("/content/{subject}/{repo}/{file_path}", "/content/acme/tools/cat/1.0/cat.tar?publish=1"),
        step(
            Method::PUT,
            "/file_metadata/{subject}/{repo}/{file_path}",
            "/file_metadata/acme/tools/cat.tar",
            json!({"list_in_downloads": true}),
        ),
        step(Method::POST, PUBLISH, "/content/acme/tools/cat/1.0/publish", none.clone()),
        step(Method::POST, PUBLISH, "/content/acme/tools/cat/1.0/publish", json!({"discard": true})),
        step(
            Method::PUT,
            "/file_metadata/{subject}/{repo}/{file_path}",
            "/file_metadata/acme/tools/cat.tar",
            json!({"list_in_downloads": true}),
        ),
        step(Method::DELETE, "/content/{subject}/{repo}/{file_path}", "/content/acme/tools/cat.tar", none.clone()),
        upload(
            "/maven/{subject}/{repo}/{package}/{file_path}",
            "/maven/acme/tools/cat/org/x/cat/1.0/cat-1.0.jar?publish=1",
        ),
        step(Method::POST, "/calc_metadata/{subject}/{repo}", "/calc_metadata/acme/tools", none.clone()),
        step(
            Method::POST,
            "/calc_metadata/{subject}/{repo}/{file_path}",
            "/calc_metadata/acme/tools/org/x",
            none.clone(),
        ),
        step(Method::POST, "/repos/{subject}/{repo}", "/repos/acme/mirror", json!({})),
        step(Method::PUT, LINK, "/repository/acme/mirror/links/acme/tools/cat", json!({"path_prefix": "lib"})),
        step(Method::DELETE, LINK, "/repository/acme/mirror/links/acme/tools/cat", none.clone()),
        step(Method::PUT, "/subjects/{subject}/plan", "/subjects/acme/plan", json!({"plan": "enterprise"})),
        step(
            Method::PUT,
            "/repos/{subject}/{repo}/geo_restrictions",
            "/repos/acme/tools/geo_restrictions",
            json!({"white_list": ["DE"]}),
        ),
        step(
            Method::DELETE,
            "/repos/{subject}/{repo}/geo_restrictions",
            "/repos/acme/tools/geo_restrictions",
            none.clone(),
        ),
        step(
            Method::PUT,
            "/repos/{subject}/{repo}/ip_restrictions",
            "/repos/acme/tools/ip_restrictions",
            json!({"black_cidrs": ["10.0.0.0/8"]}),
        ),
        step(
            Method::PATCH,
            "/repos/{subject}/{repo}/ip_restrictions",
            "/repos/acme/tools/ip_restrictions",
            json!({"add": {"black_cidrs": ["::1"]}}),
        ),
        step(
            Method::DELETE,
            "/repos/{subject}/{repo}/ip_restrictions",
            "/repos/acme/tools/ip_restrictions",
            none.clone(),
        ),
        step(
            Method::POST,
            "/products/{subject}",
            "/products/acme",
            json!({"name": "suite", "packages": ["tools/cat"]}),
        ),
        step(Method::PATCH, "/products/{subject}/{product}", "/products/acme/suite", json!({"desc": "All"})),
        step(
            Method::POST,
            "/products/{subject}/{product}/eulas",
            "/products/acme/suite/eulas",
            json!({"name": "terms", "syntax": "plain_text", "content": "x"}),
        ),
        step(
            Method::PATCH,
            "/products/{subject}/{product}/eulas/{eula}",
            "/products/acme/suite/eulas/terms",
            json!({"default": true}),
        ),
        step(
            Method::DELETE,
            "/products/{subject}/{product}/eulas/{eula}",
            "/products/acme/suite/eulas/terms",
            none.clone(),
        ),
        step(Method::DELETE, "/products/{subject}/{product}", "/products/acme/suite", none.clone()),
        step(Method::PUT, "/users/{user}/follow", "/users/bea/follow", none.clone()),
        step(Method::DELETE, "/users/{user}/follow", "/users/bea/follow", none.clone()),
        step(Method::POST, "/users/{user}/licenses", "/users/bea/licenses", json!({"name": "House"})),
        step(
            Method::PATCH,
            "/users/{user}/licenses/{license}",
            "/users/bea/licenses/House",
            json!({"description": "Ours"}),
        ),
        step(Method::DELETE, "/users/{user}/licenses/{license}", "/users/bea/licenses/House", none.clone()),
        step(Method::POST, "/orgs/{org}/licenses", "/orgs/acme/licenses", json!({"name": "House"})),
        step(
            Method::PATCH,
            "/orgs/{org}/licenses/{license}",
            "/orgs/acme/licenses/House",
            json!({"description": "Ours"}),
        ),
        step(Method::DELETE, "/orgs/{org}/licenses/{license}", "/orgs/acme/licenses/House", none.clone()),
    ];
    steps.extend(teams());
    for (list, one, at, last) in ENTITLEMENTS {
        steps.extend(entitlements(list, one, at, last));
    }
    steps.extend([
        step(
            Method::DELETE,
            "/packages/{subject}/{repo}/{package}/versions/{version}",
            "/packages/acme/tools/cat/versions/1.0",
            none.clone(),
        ),
        step(Method::DELETE, "/packages/{subject}/{repo}/{package}", "/packages/acme/tools/cat", none.clone()),
        step(Method::DELETE, "/repos/{subject}/{repo}", "/repos/acme/tools", none.clone()),
        step(Method::DELETE, "/orgs/{org}", "/orgs/acme", none.clone()),
        step(Method::DELETE, "/users/{user}", "/users/bea", none),
    ]);
    steps
}

fn teams() -> [Step; 5] {
    let (team, one) = ("/orgs/{org}/teams/{team}", "/orgs/acme/teams/devs");
    let (repo, given) = ("/repos/{subject}/{repo}/permissions", "/repos/acme/tools/permissions");
    let of_team = "/repos/{subject}/{repo}/permissions/{team}";
    [
        step(Method::POST, "/orgs/{org}/teams", "/orgs/acme/teams", json!({"name": "devs"})),
        step(Method::PATCH, team, one, json!({"allow_repo_creation": true})),
        step(Method::PUT, repo, given, json!({"team": "devs", "permission": "read"})),
        step(Method::DELETE, of_team, "/repos/acme/tools/permissions/devs", Value::Null),
        step(Method::DELETE, team, one, Value::Null),
    ]
}

/// The places of entitlements: the two endpoints, and their paths here.
const ENTITLEMENTS: [(&str, &str, &str, &str); 4] = [
    (
        "/repos/{subject}/{repo}/entitlements",
        "/repos/{subject}/{repo}/entitlements/{entitlement}",
        "/repos/acme/tools/entitlements",
        "/repos/acme/tools/entitlements/{last}",
    ),
    (
        "/packages/{subject}/{repo}/{package}/entitlements",
        "/packages/{subject}/{repo}/{package}/entitlements/{entitlement}",
        "/packages/acme/tools/cat/entitlements",
        "/packages/acme/tools/cat/entitlements/{last}",
    ),
    (
        "/packages/{subject}/{repo}/{package}/versions/{version}/entitlements",
        "/packages/{subject}/{repo}/{package}/versions/{version}/entitlements/{entitlement}",
        "/packages/acme/tools/cat/versions/1.0/entitlements",
        "/packages/acme/tools/cat/versions/1.0/entitlements/{last}",
    ),
    (
        "/products/{subject}/{product}/entitlements",
        "/products/{subject}/{product}/entitlements/{entitlement}",
        "/products/acme/suite/entitlements",
        "/products/acme/suite/entitlements/{last}",
    ),
];

/// The steps of an entitlement's life at a place. In their paths, `{last}` stands for what was made before.
fn entitlements(list: &'static str, one: &'static str, at: &'static str, last: &'static str) -> [Step; 3] {
    [
        step(Method::POST, list, at, json!({"access": "r", "tags": ["x"]})),
        step(Method::PATCH, one, last, json!({"access": "rw"})),
        step(Method::DELETE, one, last, Value::Null),
    ]
}

impl Step {
    fn by(&self, person: &Person, last: &str) -> Call {
        person.call(self.method.clone(), &self.path.replace("{last}", last)).body(self.body.clone())
    }

    /// Whoever can see something may follow and rate it.
    fn is_open_to_users(&self) -> bool {
        self.endpoint.ends_with("/follow") || self.endpoint.ends_with("/rating")
    }
}

#[tokio::test]
async fn every_call_that_changes_something_adds_one_entry() {
    let house = TestHouse::start().await;
    let mut covered = Vec::new();
    let mut last = String::new();
    for step in scenario() {
        if step.path == "/products/acme/suite/entitlements" {
            new_product(&house, "acme", "suite", &[]).await;
        }
        let before = total(&house).await;
        let answer = step.by(&house.admin(), &last).await;
        assert!(answer.status < 300, "{} {}: {}", step.method, step.path, answer.text());
        assert_eq!(total(&house).await, before + 1, "{} {}", step.method, step.path);
        last = answer.json()["id"].as_str().map_or(last, str::to_owned);
        covered.push(format!("{} {}", step.method, step.endpoint));
    }
    let changes = |endpoint: &Endpoint| endpoint.method != Method::GET && !endpoint.path.starts_with("/search/");
    // Agreeing is for keys; that it is written down is tested beside them.
    let changes = |endpoint: &Endpoint| changes(endpoint) && !endpoint.path.ends_with("/accept");
    for endpoint in server::endpoints().into_iter().filter(changes) {
        let name = format!("{} {}", endpoint.method, endpoint.path);
        assert!(covered.contains(&name), "`{name}` changes something: add it to the scenario of this test");
    }
    insta::assert_snapshot!(entries(&house).await, @r#"
    admin user.delete bea ()
    admin org.delete acme ()
    admin repo.delete acme/tools ()
    admin package.delete acme/tools/cat ()
    admin version.delete acme/tools/cat/1.0 ()
    admin entitlement.delete acme/suite (ID)
    admin entitlement.edit acme/suite (ID)
    admin entitlement.create acme/suite (ID r)
    admin product.create acme/suite ()
    admin plan.set acme (enterprise)
    admin entitlement.delete acme/tools/cat/1.0 (ID)
    admin entitlement.edit acme/tools/cat/1.0 (ID)
    admin entitlement.create acme/tools/cat/1.0 (ID r)
    admin entitlement.delete acme/tools/cat (ID)
    admin entitlement.edit acme/tools/cat (ID)
    admin entitlement.create acme/tools/cat (ID r)
    admin entitlement.delete acme/tools (ID)
    admin entitlement.edit acme/tools (ID)
    admin entitlement.create acme/tools (ID r)
    admin team.delete acme/devs ()
    admin permission.delete acme/tools (devs)
    admin permission.set acme/tools (devs: read)
    admin team.edit acme/devs ()
    admin team.create acme/devs ()
    admin license.delete acme/House ()
    admin license.edit acme/House ()
    admin license.create acme/House ()
    admin license.delete bea/House ()
    admin license.edit bea/House ()
    admin license.create bea/House ()
    admin user.unfollow bea ()
    admin user.follow bea ()
    admin product.delete acme/suite ()
    admin eula.delete acme/suite/terms ()
    admin eula.edit acme/suite/terms ()
    admin eula.create acme/suite/terms ()
    admin product.edit acme/suite ()
    admin product.create acme/suite ()
    admin ip_restrictions.delete acme/tools ()
    admin ip_restrictions.edit acme/tools (add white [], black [::1]; remove white [], black [])
    admin ip_restrictions.set acme/tools (white [], black [10.0.0.0/8])
    admin geo_restrictions.delete acme/tools ()
    admin geo_restrictions.set acme/tools (white [DE], black [])
    admin plan.set acme (enterprise)
    admin link.delete acme/mirror (acme/tools/cat)
    admin link.create acme/mirror (acme/tools/cat)
    admin repo.create acme/mirror (generic)
    admin repo.calc_metadata acme/tools (org/x)
    admin repo.calc_metadata acme/tools ()
    admin content.publish acme/tools/cat/1.0 (upload)
    admin content.delete acme/tools (cat.tar)
    admin file.edit acme/tools (cat.tar: list_in_downloads true)
    admin content.discard acme/tools/cat/1.0 ()
    admin content.publish acme/tools/cat/1.0 ()
    admin file.edit acme/tools (cat.tar: list_in_downloads true)
    admin content.publish acme/tools/cat/1.0 (upload)
    admin package.rate acme/tools/cat (4)
    admin package.unfollow acme/tools/cat ()
    admin package.follow acme/tools/cat ()
    admin release_notes.delete acme/tools/cat/1.0 ()
    admin release_notes.set acme/tools/cat/1.0 (markdown)
    admin release_notes.delete acme/tools/cat ()
    admin release_notes.set acme/tools/cat (markdown)
    admin readme.delete acme/tools/cat ()
    admin readme.set acme/tools/cat (markdown)
    admin attributes.delete acme/tools/cat/1.0 (all)
    admin attributes.edit acme/tools/cat/1.0 (1)
    admin attributes.replace acme/tools/cat/1.0 (1)
    admin attributes.delete acme/tools/cat (all)
    admin attributes.edit acme/tools/cat (1)
    admin attributes.replace acme/tools/cat (1)
    admin version.edit acme/tools/cat/1.0 ()
    admin version.create acme/tools/cat/1.0 ()
    admin package.edit acme/tools/cat ()
    admin package.create acme/tools/cat ()
    admin repo.edit acme/tools ()
    admin repo.create acme/tools (maven)
    admin plan.set bea (free)
    admin member.remove acme/bea ()
    admin member.set acme/bea (admin)
    admin org.edit acme (full_name)
    admin access_key.delete acme/client ()
    admin access_key.new_password acme/client ()
    admin access_key.edit acme/client (password, api_only)
    admin access_key.create acme/client ()
    admin org.create acme ()
    admin access_key.delete bea/client ()
    admin access_key.new_password bea/client ()
    admin access_key.edit bea/client (password, api_only)
    admin access_key.create bea/client ()
    admin user.rotate_key bea ()
    admin user.edit bea (email, password)
    admin user.create bea (plan premium)
    (console) user.create admin (plan enterprise)
    "#);
    assert_eq!(site::find_damage(house.app().house()).await.expect("it looks"), [""; 0]);
}

#[tokio::test]
async fn an_upload_that_waits_for_its_publish_adds_nothing() {
    let (house, ada) = cat().await;
    let before = total(&house).await;
    upload_waiting(&ada, "ada/tools/cat/1.0/cat.tar", "meow").await;
    upload_waiting(&ada, "ada/tools/cat/1.0/cat.tar", "meow").await;
    assert_eq!(total(&house).await, before);
}

#[tokio::test]
async fn refused_calls_add_nothing() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    house.user("bea").await;
    house.admin().post("/orgs").json(json!({"name": "acme"})).await.expect(201);
    set_member(&house.admin(), "acme", "bea", "member").await;
    house.admin().post("/repos/acme/tools").json(json!({})).await.expect(201);
    house.admin().post("/repos/acme/mirror").json(json!({})).await.expect(201);
    house.admin().post("/packages/acme/tools").json(json!({"name": "cat"})).await.expect(201);
    house.admin().post("/packages/acme/tools/cat/versions").json(json!({"name": "1.0"})).await.expect(201);
    let before = total(&house).await;
    for step in scenario() {
        step.by(&house.anyone(), "0").await.refuses(401, "This resource requires authentication");
    }
    for step in scenario().into_iter().filter(|step| !step.is_open_to_users()) {
        let refused = step.by(&ada, "0").await.status;
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

/// The newest hundred entries, one a line.
async fn entries(house: &TestHouse) -> String {
    let page = async |start| house.admin().get(&format!("/audit?start_pos={start}")).await.expect(200).json();
    let pages = [page(0).await, page(50).await];
    let text = |entry: &Value, field: &str| entry[field].as_str().unwrap_or_default().to_owned();
    let line = |entry: &Value| {
        let [actor, action, target] = ["actor", "action", "target"].map(|field| text(entry, field));
        let is_id = |word: &&str| word.len() == 16 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
        let detail = text(entry, "detail");
        let detail = detail.split(' ').find(is_id).map_or(detail.clone(), |id| detail.replace(id, "ID"));
        format!("{actor} {action} {target} ({detail})")
    };
    pages.iter().filter_map(Value::as_array).flatten().map(line).collect::<Vec<_>>().join("\n")
}
