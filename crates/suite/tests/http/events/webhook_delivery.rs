//! Callbacks: their content, their headers and their retries.

use base64::{Engine, prelude::BASE64_STANDARD};
use database::{
    catalogue::{packages, repos},
    events::webhooks,
};
use hmac::{Hmac, KeyInit, Mac};
use md5::Md5;
use model::{
    names::{PackageName, RepoName, SubjectName},
    webhook::Webhook,
};
use operations::jobs;
use serde_json::{Value, json};
use sha2::Sha256;
use suite::{Person, ReceivedCallback, Receiver, ReceiverBehaviour, TestHouse};

use crate::{
    access::acme::set_member,
    catalogue::{new_package, new_private_repo, new_repo, segment},
    content::{DAY, INSIDE, SECOND, cat_that_calls, publish, upload, upload_published},
    events::webhooks::{HOOKS, deliver, register, release, standing},
};

/// Starts a house that calls a receiver for releases of `ada/tools/cat` with this method, and returns the secret.
pub(crate) async fn hooked(method: &str) -> (TestHouse, Person, Receiver, Vec<u8>) {
    let receiver = Receiver::start().await;
    let (house, ada) = cat_that_calls().await;
    let body = json!({"url": receiver.url("/hook?token=1"), "method": method});
    let registered = ada.post(HOOKS).json(body).await.expect(201).json();
    (house, ada, receiver, secret(&registered))
}

/// Returns the secret in the response to a registration.
pub(crate) fn secret(registered: &Value) -> Vec<u8> {
    let secret = registered["secret"].as_str().and_then(|secret| secret.strip_prefix("whsec_")).expect("a secret");
    BASE64_STANDARD.decode(secret).expect("base64")
}

/// Returns the row of a webhook of `ada/tools/cat`.
async fn hook(house: &TestHouse, url: &str) -> Webhook {
    let db = &house.app().house().db;
    let (owner, repo) = (SubjectName::parse("ada").expect("a name"), RepoName::parse("tools").expect("a name"));
    let repo = repos::find(db, &owner, &repo, None).await.expect("read").expect("there").repo;
    let name = PackageName::parse("cat").expect("a name");
    let package = packages::find(db, repo.id, &name).await.expect("read").expect("there");
    webhooks::find(db, package.id, url).await.expect("read").expect("there")
}

/// Returns the id of a webhook of `ada/tools/cat`.
pub(crate) async fn hook_id(house: &TestHouse, url: &str) -> i64 {
    hook(house, url).await.id
}

/// Returns the expected value of the contract's header.
pub(crate) fn mac(key: &str, package: &str) -> String {
    let mac = Hmac::<Md5>::new_from_slice(key.as_bytes()).expect("a key").chain_update(package);
    BASE64_STANDARD.encode(mac.finalize().into_bytes())
}

/// Returns the signature that a receiver of Standard Webhooks computes.
pub(crate) fn signature(told: &ReceivedCallback, secret: &[u8]) -> String {
    let said = format!("{}.{}.{}", told.header("webhook-id"), told.header("webhook-timestamp"), told.body);
    let mac = Hmac::<Sha256>::new_from_slice(secret).expect("a key").chain_update(said);
    format!("v1,{}", BASE64_STANDARD.encode(mac.finalize().into_bytes()))
}

/// Returns the parameters of a query.
pub(crate) fn pairs(target: &str) -> Vec<(String, String)> {
    let url = reqwest::Url::parse(&format!("http://receiver{target}")).expect("an address");
    url.query_pairs().into_owned().collect()
}

/// Returns the latest deliveries of `ada/tools/cat`, as listed.
pub(crate) async fn deliveries(ada: &Person) -> Vec<Value> {
    let list = ada.get(&format!("{HOOKS}/deliveries")).await.expect(200).json();
    list.as_array().expect("a list").clone()
}

#[tokio::test]
async fn a_release_is_told_with_its_payload_and_proofs() {
    let (house, ada, receiver, secret) = hooked("post").await;
    release(&ada, "1.0").await;
    assert_eq!(deliver(&house).await, 1);
    let [told] = &receiver.callbacks()[..] else { panic!("one callback") };
    assert_eq!((told.method.as_str(), told.target.as_str()), ("POST", "/hook?token=1"));
    insta::assert_snapshot!(told.body, @r#"{"package":"cat","version":"1.0","released":"2026-01-15T12:00:00.000Z","release_notes":""}"#);
    assert_eq!(told.header("content-type"), "application/json");
    assert_eq!(told.header("x-service-webhook-hmac"), mac(ada.key(), "cat"));
    assert_eq!(told.header("webhook-timestamp"), "1768478400");
    assert_eq!(told.header("webhook-signature"), signature(told, &secret));
    assert!(told.header("webhook-id").starts_with("msg_"), "{told:?}");
    assert!(told.header("user-agent").starts_with("packhouse/"), "{told:?}");
    assert_eq!(told.header("authorization"), "");
}

#[tokio::test]
async fn the_header_is_what_the_key_of_the_administrator_gives() {
    let receiver = Receiver::start().await;
    let (house, ada) = cat_that_calls().await;
    house.admin().post(HOOKS).json(json!({ "url": receiver.url("/") })).await.expect(201);
    release(&ada, "1.0").await;
    deliver(&house).await;
    // Computed by another program, from the key that every test has.
    assert_eq!(receiver.callbacks()[0].header("x-service-webhook-hmac"), "RYA+HEyp1Pk949dZnZPqXw==");
}

#[tokio::test]
async fn put_is_like_post_and_get_has_the_payload_in_its_query() {
    let (house, ada, receiver, secret) = hooked("put").await;
    release(&ada, "1.0").await;
    deliver(&house).await;
    ada.post(HOOKS).json(json!({"url": receiver.url("/hook?token=1"), "method": "get"})).await.expect(201);
    release(&ada, "2.0").await;
    deliver(&house).await;
    let [put, get] = &receiver.callbacks()[..] else { panic!("two callbacks") };
    assert_eq!((put.method.as_str(), put.body.contains(r#""version":"1.0""#)), ("PUT", true));
    assert_eq!((get.method.as_str(), get.body.as_str(), get.header("content-type")), ("GET", "", ""));
    let expected = [
        ("token", "1"),
        ("package", "cat"),
        ("version", "2.0"),
        ("released", "2026-01-15T12:00:00.000Z"),
        ("release_notes", ""),
    ];
    assert_eq!(pairs(&get.target), expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
    for told in [put, get] {
        assert_eq!(told.header("webhook-signature"), signature(told, &secret));
        assert_eq!(told.header("x-service-webhook-hmac"), mac(ada.key(), "cat"));
    }
}

#[tokio::test]
async fn names_are_encoded_in_the_address() {
    let receiver = Receiver::start().await;
    let (house, ada) = cat_that_calls().await;
    let name = "a b:c@d+é&x=1";
    new_package(&ada, "ada/tools", name).await;
    let body = json!({ "url": receiver.url("/%r/%p?p=%p&q=%20") });
    ada.post(&format!("/webhooks/ada/tools/{}", segment(name))).json(body).await.expect(201);
    upload_published(&ada, &format!("ada/tools/{}/1.0/x.bin", segment(name)), "meow").await;
    deliver(&house).await;
    let encoded = "a%20b%3Ac%40d%2B%C3%A9%26x%3D1";
    assert_eq!(receiver.callbacks()[0].target, format!("/tools/{encoded}?p={encoded}&q=%20"));
    assert_eq!(receiver.callbacks()[0].header("x-service-webhook-hmac"), mac(ada.key(), name));
}

#[tokio::test]
async fn a_version_is_told_when_it_is_published_first() {
    let (house, ada, receiver, _) = hooked("post").await;
    upload(&ada, "ada/tools/cat/1.0/a.bin", "meow").await;
    assert_eq!(deliver(&house).await, 0);
    publish(&ada, "ada/tools/cat/1.0").await;
    assert_eq!(deliver(&house).await, 1);
    upload_published(&ada, "ada/tools/cat/1.0/b.bin", "purr").await;
    publish(&ada, "ada/tools/cat/1.0").await;
    assert_eq!(deliver(&house).await, 0);
    release(&ada, "2.0").await;
    assert_eq!(deliver(&house).await, 1);
    assert_eq!(receiver.callbacks().len(), 2);
}

#[tokio::test]
async fn a_publish_that_fails_tells_nobody() {
    let (house, ada, receiver, _) = hooked("post").await;
    upload(&ada, "ada/tools/cat/1.0/a.bin", "meow").await;
    house.user("eve").await.post("/content/ada/tools/cat/1.0/publish").await.expect(403);
    ada.post("/content/ada/tools/cat/1.0/publish").json(json!({"discard": true})).await.expect(200);
    assert_eq!((deliver(&house).await, receiver.callbacks().len()), (0, 0));
}

#[tokio::test]
async fn the_notes_are_the_versions_or_else_the_packages() {
    let (house, ada, receiver, _) = hooked("post").await;
    let notes = |content: &str| json!({"syntax": "markdown", "content": content});
    ada.post("/packages/ada/tools/cat/release_notes").json(notes("of the *package*")).await.expect(200);
    let new = json!({"name": "1.0", "released": "2025-12-24T18:00:00+01:00"});
    ada.post("/packages/ada/tools/cat/versions").json(new).await.expect(201);
    ada.post("/packages/ada/tools/cat/versions/1.0/release_notes").json(notes("of \"1.0\"")).await.expect(200);
    release(&ada, "1.0").await;
    release(&ada, "2.0").await;
    deliver(&house).await;
    let bodies: Vec<String> = receiver.callbacks().into_iter().map(|told| told.body).collect();
    insta::assert_snapshot!(bodies.join("\n"), @r#"
    {"package":"cat","version":"1.0","released":"2025-12-24T17:00:00.000Z","release_notes":"of \"1.0\""}
    {"package":"cat","version":"2.0","released":"2026-01-15T12:00:00.000Z","release_notes":"of the *package*"}
    "#);
}

#[tokio::test]
async fn a_failed_callback_is_tried_again_later_and_later() {
    let (house, ada, receiver, secret) = hooked("post").await;
    receiver.behave(ReceiverBehaviour::Status(500));
    release(&ada, "1.0").await;
    assert_eq!(deliver(&house).await, 1);
    for (number, wait) in [5, 60, 300, 1_800, 7_200, 21_600].into_iter().enumerate() {
        // At most a fifth earlier, and never before that.
        house.clock.advance(wait * 800 - 1);
        assert_eq!(deliver(&house).await, 0, "{wait}");
        house.clock.advance(wait * 200 + 1);
        assert_eq!((deliver(&house).await, receiver.callbacks().len()), (1, number + 2), "{wait}");
    }
    house.clock.advance(30 * DAY);
    assert_eq!(deliver(&house).await, 0);
    let told = receiver.callbacks();
    for again in &told {
        assert_eq!((&again.body, again.header("webhook-id")), (&told[0].body, told[0].header("webhook-id")));
        assert_eq!(again.header("webhook-signature"), signature(again, &secret));
    }
    assert_ne!(told[0].header("webhook-timestamp"), told[6].header("webhook-timestamp"));
}

#[tokio::test]
async fn attempts_are_listed_with_status_duration_and_error() {
    let (house, ada, receiver, _) = hooked("post").await;
    receiver.behave(ReceiverBehaviour::Status(503));
    release(&ada, "1.0").await;
    deliver(&house).await;
    receiver.behave(ReceiverBehaviour::Status(204));
    house.clock.advance(5 * SECOND);
    deliver(&house).await;
    let list = deliveries(&ada).await;
    let id = receiver.callbacks()[0].header("webhook-id").to_owned();
    let expected = |status: u16, error: Value, at: &str, duration: &Value| json!({"id": id, "version": "1.0", "status": status, "duration_ms": duration, "error": error, "at": at, "can_replay": true});
    assert_eq!(
        list,
        [
            expected(204, Value::Null, "2026-01-15T12:00:05.000Z", &list[0]["duration_ms"]),
            expected(503, json!("the receiver answered with 503"), "2026-01-15T12:00:00.000Z", &list[1]["duration_ms"]),
        ]
    );
    assert!(list.iter().all(|tried| tried["duration_ms"].as_u64().is_some_and(|ms| ms < 10_000)), "{list:?}");
    assert_eq!(standing(&ada).await, [("0".to_owned(), true)]);
}

#[tokio::test]
async fn a_hundred_attempts_are_remembered_for_thirty_days() {
    let (house, ada, receiver, _) = hooked("post").await;
    release(&ada, "1.0").await;
    let test = json!({ "url": receiver.url("/hook?token=1") });
    for _ in 0..102 {
        ada.post(&format!("{HOOKS}/1.0")).json(test.clone()).await.expect(200);
    }
    let (listed, told) = (deliveries(&ada).await, receiver.callbacks());
    assert_eq!((listed.len(), told.len()), (100, 102));
    assert_eq!(listed[0]["id"], told[101].header("webhook-id"));
    assert_eq!(listed[99]["id"], told[2].header("webhook-id"));
    house.clock.advance(30 * DAY - 1_000);
    jobs::run_once(house.app().house(), "expired_deliveries").await.expect("forgotten");
    assert_eq!(deliveries(&ada).await.len(), 100);
    house.clock.advance(2_000);
    jobs::run_once(house.app().house(), "expired_deliveries").await.expect("forgotten");
    assert_eq!(deliveries(&ada).await.len(), 0);
}

#[tokio::test]
async fn a_new_key_changes_the_header_and_nothing_else() {
    let (house, ada, receiver, secret) = hooked("post").await;
    release(&ada, "1.0").await;
    let renewed = ada.post("/users/ada/api_key").await.expect(201).json();
    let key = renewed["api_key"].as_str().expect("a key");
    deliver(&house).await;
    let told = &receiver.callbacks()[0];
    assert_eq!(told.header("x-service-webhook-hmac"), mac(key, "cat"));
    assert_ne!(mac(key, "cat"), mac(ada.key(), "cat"));
    assert_eq!(told.header("webhook-signature"), signature(told, &secret));
}

#[tokio::test]
async fn a_hook_belongs_to_whoever_registered_it_last() {
    let (house, ada, receiver, secret) = hooked("post").await;
    let body = json!({ "url": receiver.url("/hook?token=1") });
    house.admin().post(HOOKS).json(body).await.expect(201);
    // A new key of the first user no longer has any effect.
    ada.post("/users/ada/api_key").await.expect(201);
    release(&house.admin(), "1.0").await;
    assert_eq!(deliver(&house).await, 1);
    let told = &receiver.callbacks()[0];
    assert_eq!(told.header("x-service-webhook-hmac"), mac(house.admin().key(), "cat"));
    assert_eq!(told.header("webhook-signature"), signature(told, &secret));
}

#[tokio::test]
async fn what_proves_a_callback_is_sealed_in_the_database() {
    let (house, ada, receiver, secret) = hooked("post").await;
    let hook = hook(&house, &receiver.url("/hook?token=1")).await;
    for (sealed, open) in [(hook.sealed_mac, mac(ada.key(), "cat").into_bytes()), (hook.sealed_secret, secret)] {
        let kept = BASE64_STANDARD.decode(&sealed).expect("base64");
        // The sealed text also contains a version, a nonce and a tag.
        assert_eq!(kept.len(), 1 + 24 + open.len() + 16);
        assert!(!kept.windows(open.len()).any(|window| window == open), "{sealed}");
    }
}

#[tokio::test]
async fn whoever_may_not_publish_any_more_is_told_nothing() {
    let receiver = Receiver::start().await;
    let house = TestHouse::start_with(&[INSIDE]).await;
    let (ada, bea) = (house.user("ada").await, house.user("bea").await);
    ada.post("/orgs").json(json!({"name": "acme"})).await.expect(201);
    set_member(&ada, "acme", "bea", "admin").await;
    new_private_repo(&ada, "acme/vault").await;
    new_package(&ada, "acme/vault", "owl").await;
    bea.post("/webhooks/acme/vault/owl").json(json!({ "url": receiver.url("/") })).await.expect(201);
    set_member(&ada, "acme", "bea", "member").await;
    upload_published(&ada, "acme/vault/owl/1.0/owl.bin", "hoot").await;
    deliver(&house).await;
    assert_eq!(receiver.callbacks().len(), 0);
    let listed = ada.get("/webhooks/acme/vault/owl/deliveries").await.expect(200).json();
    assert_eq!(listed[0]["error"], "the user who registered it may not publish here any more");
    let hooks = ada.get("/webhooks/acme").await.expect(200).json();
    assert_eq!(hooks[0]["failure_count"], "1");
    // The right is restored before the delivery is given up.
    set_member(&ada, "acme", "bea", "admin").await;
    house.clock.advance(5 * SECOND);
    deliver(&house).await;
    assert_eq!(receiver.callbacks().len(), 1);
}

#[tokio::test]
async fn each_hook_of_a_package_is_told_by_itself() {
    let (good, bad) = (Receiver::start().await, Receiver::start().await);
    let (house, ada) = cat_that_calls().await;
    new_repo(&ada, "ada/other").await;
    new_package(&ada, "ada/other", "cat").await;
    ada.post("/webhooks/ada/other/cat").json(json!({ "url": good.url("/other") })).await.expect(201);
    register(&ada, &good.url("/")).await;
    register(&ada, &bad.url("/")).await;
    bad.behave(ReceiverBehaviour::Status(400));
    release(&ada, "1.0").await;
    assert_eq!(deliver(&house).await, 2);
    house.clock.advance(5 * SECOND);
    assert_eq!(deliver(&house).await, 1);
    assert_eq!((good.callbacks().len(), bad.callbacks().len()), (1, 2));
}
