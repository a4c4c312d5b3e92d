//! Webhooks of packages: registering, listing and removing them.

use operations::events::webhooks;
use reqwest::Method;
use serde_json::{Value, json};
use suite::{Answer, Person, Receiver, TestHouse};

use crate::{
    access::{
        acme::{Cast, set_member},
        grants::{key_to, new_team, permit},
    },
    catalogue::{new_package, new_private_repo, new_repo},
    cluster::together::together,
    content::{INSIDE, cat_that_calls, upload_published},
};

/// The path of the webhooks of `ada/tools/cat`.
pub(crate) const HOOKS: &str = "/webhooks/ada/tools/cat";

/// A URL where no receiver listens.
const NOWHERE: &str = "http://127.0.0.1:1/hook";

/// Registers a webhook of `ada/tools/cat`.
pub(crate) async fn register(by: &Person, url: &str) -> Answer {
    by.post(HOOKS).json(json!({ "url": url })).await.expect(201)
}

/// Publishes a new version of `ada/tools/cat`.
pub(crate) async fn release(by: &Person, version: &str) {
    upload_published(by, &format!("ada/tools/cat/{version}/{version}.bin"), "meow").await;
}

/// Sends the due deliveries, as a running server does on its own; returns the number of callbacks.
pub(crate) async fn deliver(house: &TestHouse) -> usize {
    webhooks::deliver_due(house.app().house()).await.expect("delivered")
}

/// Returns the listed webhooks: the failure count, and whether each one is active.
pub(crate) async fn standing(who: &Person) -> Vec<(String, bool)> {
    let list = who.get("/webhooks/ada/tools").await.expect(200).json();
    let hook = |hook: &Value| {
        let count = hook["failure_count"].as_str().expect("the contract has a text here").to_owned();
        (count, hook["active"].as_bool().expect("a flag"))
    };
    list.as_array().expect("a list").iter().map(hook).collect()
}

fn limits(answer: &Answer) -> (&str, &str) {
    (answer.header("X-Service-WebHookLimit-Limit"), answer.header("X-Service-WebHookLimit-Remaining"))
}

/// Returns the URLs in a list.
async fn urls(who: &Person, path: &str) -> Vec<String> {
    let list = who.get(path).await.expect(200).json();
    let url = |hook: &Value| hook["url"].as_str().expect("a hook has an address").to_owned();
    list.as_array().expect("a list").iter().map(url).collect()
}

#[tokio::test]
async fn a_registration_answers_with_a_secret_and_what_is_left() {
    let (_house, ada) = cat_that_calls().await;
    let answer = register(&ada, "https://example.org/hook").await;
    assert_eq!(limits(&answer), ("10", "9"));
    let secret = answer.json()["secret"].as_str().expect("a secret").to_owned();
    assert_eq!((secret.len(), &secret[..6]), (50, "whsec_"));
    insta::assert_snapshot!(answer.text().replace(&secret, "(secret)"), @r#"{"message":"success","secret":"(secret)"}"#);
    assert_eq!(answer.header("cache-control"), "no-store");
}

#[tokio::test]
async fn hooks_are_listed_for_a_subject_and_for_a_repository() {
    let (_house, ada) = cat_that_calls().await;
    new_package(&ada, "ada/tools", "bird").await;
    new_repo(&ada, "ada/aviary").await;
    new_package(&ada, "ada/aviary", "owl").await;
    register(&ada, "https://example.org/%r/%p").await;
    ada.post("/webhooks/ada/tools/bird").json(json!({"url": "https://b.example", "method": "put"})).await.expect(201);
    ada.post("/webhooks/ada/aviary/owl").json(json!({"url": "https://o.example", "method": "GET"})).await.expect(201);
    let listed = ada.get("/webhooks/ada").await.expect(200);
    insta::assert_snapshot!(listed.text().replace("},", "},\n"), @r#"
    [{"package":"owl","url":"https://o.example","method":"get","failure_count":"0","active":true,"events":["release"]},
    {"package":"bird","url":"https://b.example","method":"put","failure_count":"0","active":true,"events":["release"]},
    {"package":"cat","url":"https://example.org/%r/%p","method":"post","failure_count":"0","active":true,"events":["release"]}]
    "#);
    assert_eq!(urls(&ada, "/webhooks/ada/tools").await, ["https://b.example", "https://example.org/%r/%p"]);
    ada.get("/webhooks/nobody").await.refuses(404, "Subject 'nobody' was not found");
    ada.get("/webhooks/ada/none").await.refuses(404, "Repository 'none' was not found");
}

#[tokio::test]
async fn the_same_address_again_is_the_same_hook() {
    let (_house, ada) = cat_that_calls().await;
    let first = register(&ada, NOWHERE).await.json();
    let again = ada.post(HOOKS).json(json!({"url": NOWHERE, "method": "get"})).await.expect(201);
    assert_eq!((limits(&again), again.json()), (("10", "9"), first));
    let listed = ada.get("/webhooks/ada/tools").await.expect(200).json();
    assert_eq!((listed.as_array().map(Vec::len), &listed[0]["method"]), (Some(1), &json!("get")));
}

#[tokio::test]
async fn a_user_may_register_ten() {
    let (house, ada) = cat_that_calls().await;
    for number in 0..10 {
        let answer = register(&ada, &format!("https://example.org/{number}")).await;
        assert_eq!(limits(&answer), ("10", (9 - number).to_string().as_str()));
    }
    let body = json!({"url": "https://example.org/10"});
    let refused = ada.post(HOOKS).json(body.clone()).await.refuses(403, "You have reached your limit of 10 webhooks");
    assert_eq!(limits(&refused), ("10", "0"));
    // Registering an existing URL again does not count, and other users have their own limit.
    assert_eq!(limits(&register(&ada, "https://example.org/3").await), ("10", "0"));
    let other = house.admin().post(HOOKS).json(body.clone()).await.expect(201);
    assert_eq!(limits(&other), ("10", "9"));
    // Taking over another user's webhook counts, too.
    ada.post(HOOKS).json(body).await.expect(403);
    ada.delete(HOOKS).await.refuses(200, "success");
    assert_eq!(limits(&register(&ada, "https://example.org/10").await), ("10", "9"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_limit_is_exact_when_many_register_at_once() {
    let (house, ada) = cat_that_calls().await;
    let second = house.start_another().await;
    let there = second.as_ref().map_or(ada.clone(), |second| second.person("ada", ada.key()));
    let call = |number: usize| {
        let who = if number.is_multiple_of(2) { &ada } else { &there };
        who.post(HOOKS).json(json!({ "url": format!("https://example.org/{number}") }))
    };
    let answers = together((0..30).map(call)).await;
    let mut left: Vec<&str> = answers.iter().filter(|answer| answer.status == 201).map(|one| limits(one).1).collect();
    left.sort_unstable();
    assert_eq!(left, ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]);
    assert_eq!(answers.iter().filter(|answer| answer.status == 403).count(), 20);
    assert_eq!(urls(&ada, "/webhooks/ada").await.len(), 10);
}

#[tokio::test]
async fn the_limit_is_a_setting() {
    let house = TestHouse::start_with(&[("limits.webhooks_per_user", "1"), INSIDE]).await;
    let ada = house.user("ada").await;
    new_repo(&ada, "ada/tools").await;
    new_package(&ada, "ada/tools", "cat").await;
    assert_eq!(limits(&register(&ada, NOWHERE).await), ("1", "0"));
    ada.post(HOOKS).json(json!({"url": "https://example.org/"})).await.expect(403);
}

#[tokio::test]
async fn a_hook_is_for_users_who_may_publish() {
    let cast = Cast::start().await;
    cast.org("acme").await;
    for (repo, is_private) in [("acme/open", false), ("acme/closed", true)] {
        cast.owner.post(&format!("/repos/{repo}")).json(json!({ "private": is_private })).await.expect(201);
        new_package(&cast.owner, repo, "cat").await;
    }
    new_team(&cast.owner, "acme", "devs", &["mike"]).await;
    permit(&cast.owner, "acme/closed", "devs", "read").await;
    let key = key_to(&cast.house, &cast.owner, "robot", "/repos/acme/open", "rw").await;
    let body = json!({ "url": "https://example.org/hook" });
    let hook = |who: &Person, repo: &str| who.post(&format!("/webhooks/{repo}/cat")).json(body.clone());
    hook(&cast.house.anyone(), "acme/open").await.refuses(401, "This resource requires authentication");
    hook(&cast.stranger, "acme/open").await.refuses(403, "You may not do this");
    hook(&cast.stranger, "acme/closed").await.refuses(404, "Repository 'closed' was not found");
    hook(&cast.member, "acme/closed").await.refuses(403, "You may not do this");
    hook(&key, "acme/open").await.refuses(403, "Only users may do this; sign in as a user, not with an access key");
    permit(&cast.owner, "acme/closed", "devs", "publish").await;
    hook(&cast.member, "acme/closed").await.expect(201);
    hook(&cast.admin, "acme/open").await.expect(201);
    // A list contains the webhooks that its reader could register.
    for (who, count) in [(&cast.owner, 2), (&cast.member, 1), (&cast.stranger, 0), (&cast.site_admin, 2)] {
        assert_eq!(urls(who, "/webhooks/acme").await.len(), count, "{}", who.name());
    }
    for path in ["/webhooks/acme/open", "/webhooks/acme/open/cat/deliveries"] {
        cast.stranger.get(path).await.refuses(403, "You may not do this");
        key.get(path).await.refuses(403, "Only users may do this; sign in as a user, not with an access key");
        cast.owner.get(path).await.expect(200);
    }
    key.delete("/webhooks/acme/open/cat").await.expect(403);
    cast.stranger.delete("/webhooks/acme/open/cat").await.expect(403);
    cast.admin.delete("/webhooks/acme/open/cat").await.expect(200);
}

#[tokio::test]
async fn what_is_no_hook_is_refused() {
    let (_house, ada) = cat_that_calls().await;
    let refused = async |body: Value| ada.post(HOOKS).json(body).await.expect(400).message();
    assert_eq!(
        refused(json!({"url": "https://example.org/", "method": "delete"})).await,
        "method: 'delete' is not post, put or get"
    );
    assert_eq!(
        refused(json!({"url": "ftp://example.org/"})).await,
        "url: 'ftp://example.org/': it must begin with http:// or https://"
    );
    assert_eq!(
        refused(json!({"url": "https://%r.example.org/"})).await,
        "url: 'https://%r.example.org/': %r and %p are not allowed before the path"
    );
    assert_eq!(
        refused(json!({"url": "https://ada:pass@example.org/"})).await,
        "url: 'https://***@example.org/': it may not hold a login"
    );
    let long = format!("https://example.org/{}", "%p".repeat(900));
    let told = refused(json!({ "url": long })).await;
    assert!(
        told.starts_with("url: 'https://example.org/%p%p") && told.ends_with("': it is longer than 2000 bytes"),
        "{told}"
    );
    assert_eq!(refused(json!({})).await, "missing field `url`");
    ada.post("/webhooks/ada/tools/none").json(json!({"url": NOWHERE})).await.expect(404);
    assert_eq!(urls(&ada, "/webhooks/ada").await, [""; 0]);
}

#[tokio::test]
async fn a_linked_package_has_its_hooks_where_it_is() {
    let (_house, ada) = cat_that_calls().await;
    new_repo(&ada, "ada/mirror").await;
    ada.put("/repository/ada/mirror/links/ada/tools/cat").await.expect(201);
    ada.post("/webhooks/ada/mirror/cat").json(json!({"url": NOWHERE})).await.expect(403);
}

#[tokio::test]
async fn deleted_hooks_are_told_nothing_more() {
    let receiver = Receiver::start().await;
    let (house, ada) = cat_that_calls().await;
    register(&ada, &receiver.url("/1")).await;
    register(&ada, &receiver.url("/2")).await;
    release(&ada, "1.0").await;
    ada.delete(HOOKS).await.refuses(200, "success");
    register(&ada, &receiver.url("/1")).await;
    assert_eq!((deliver(&house).await, receiver.callbacks().len()), (0, 0));
    ada.delete(HOOKS).await.expect(200);
    ada.delete(HOOKS).await.refuses(404, "Webhook of package 'cat' was not found");
}

#[tokio::test]
async fn hooks_go_with_their_package_and_with_their_user() {
    let receiver = Receiver::start().await;
    let (house, ada) = cat_that_calls().await;
    let bea = house.user("bea").await;
    ada.post("/orgs").json(json!({"name": "acme"})).await.expect(201);
    set_member(&ada, "acme", "bea", "admin").await;
    new_private_repo(&ada, "acme/vault").await;
    new_package(&ada, "acme/vault", "owl").await;
    let body = json!({ "url": receiver.url("/") });
    bea.post("/webhooks/acme/vault/owl").json(body).await.expect(201);
    register(&ada, &receiver.url("/")).await;
    release(&ada, "1.0").await;
    upload_published(&ada, "acme/vault/owl/1.0/owl.bin", "hoot").await;
    ada.delete("/packages/ada/tools/cat").await.expect(200);
    house.admin().delete("/users/bea").await.expect(200);
    assert_eq!((deliver(&house).await, receiver.callbacks().len()), (0, 0));
    assert_eq!(urls(&ada, "/webhooks/acme").await, [""; 0]);
    upload_published(&ada, "acme/vault/owl/2.0/owl2.bin", "hoot").await;
}

#[tokio::test]
async fn the_address_of_a_version_is_for_tests_only() {
    let (_house, ada) = cat_that_calls().await;
    release(&ada, "deliveries").await;
    ada.get(&format!("{HOOKS}/1.0")).await.refuses(405, "This URL does not support this method");
    ada.get(&format!("{HOOKS}/deliveries")).await.expect(200);
    let test = ada.post(&format!("{HOOKS}/deliveries")).json(json!({"url": NOWHERE})).await.expect(200);
    assert_eq!(test.json()["status"], Value::Null);
    ada.call(Method::PUT, &format!("{HOOKS}/1.0")).await.expect(405);
}
