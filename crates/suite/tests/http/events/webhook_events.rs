//! The events that webhooks subscribe to, and the callbacks for them.

use serde_json::{Value, json};
use suite::{Person, ReceivedCallback, Receiver, TestHouse};

use crate::{
    access::grants::key_to,
    content::{cat_that_calls, discard, publish, upload, upload_published},
    events::webhook_delivery::{mac, pairs, signature},
    events::webhooks::{HOOKS, deliver, register, release},
};

pub(crate) const ALL: [&str; 4] = ["release", "publish", "upload", "delete"];

/// Registers a webhook of `ada/tools/cat` for some events, and returns its secret.
pub(crate) async fn subscribe(by: &Person, url: &str, events: &[&str]) -> Vec<u8> {
    let made = by.post(HOOKS).json(json!({"url": url, "events": events})).await.expect(201).json();
    crate::events::webhook_delivery::secret(&made)
}

/// Starts a house with `ada/tools/cat` and a receiver that subscribes to these events.
pub(crate) async fn subscribed(events: &[&str]) -> (TestHouse, Person, Receiver, Vec<u8>) {
    let (receiver, (house, ada)) = (Receiver::start().await, cat_that_calls().await);
    let secret = subscribe(&ada, &receiver.url("/%r/%p"), events).await;
    (house, ada, receiver, secret)
}

/// Returns the event of each callback, by its header; empty for a release.
pub(crate) fn events(callbacks: &[ReceivedCallback]) -> Vec<&str> {
    callbacks.iter().map(|callback| callback.header("x-service-webhook-event")).collect()
}

async fn listed(who: &Person) -> Value {
    who.get("/webhooks/ada/tools").await.expect(200).json()[0]["events"].clone()
}

#[tokio::test]
async fn every_event_arrives_with_its_payload_header_and_proofs() {
    let (house, ada, receiver, secret) = subscribed(&ALL).await;
    upload(&ada, "ada/tools/cat/1.0/lib/a.bin", "meow").await;
    assert_eq!(deliver(&house).await, 1);
    publish(&ada, "ada/tools/cat/1.0").await;
    assert_eq!(deliver(&house).await, 2);
    ada.delete("/content/ada/tools/lib/a.bin").await.expect(200);
    ada.delete("/packages/ada/tools/cat/versions/1.0").await.expect(200);
    assert_eq!(deliver(&house).await, 2);
    let callbacks = receiver.callbacks();
    assert_eq!(events(&callbacks), ["upload", "publish", "", "delete", "delete"]);
    let bodies: Vec<&str> = callbacks.iter().map(|callback| callback.body.as_str()).collect();
    insta::assert_snapshot!(bodies.join("\n"), @r#"
    {"event":"upload","subject":"ada","repo":"tools","package":"cat","version":"1.0","path":"lib/a.bin","at":"2026-01-15T12:00:00.000Z","actor":"ada"}
    {"event":"publish","subject":"ada","repo":"tools","package":"cat","version":"1.0","path":null,"at":"2026-01-15T12:00:00.000Z","actor":"ada"}
    {"package":"cat","version":"1.0","released":"2026-01-15T12:00:00.000Z","release_notes":""}
    {"event":"delete","subject":"ada","repo":"tools","package":"cat","version":"1.0","path":"lib/a.bin","at":"2026-01-15T12:00:00.000Z","actor":"ada"}
    {"event":"delete","subject":"ada","repo":"tools","package":"cat","version":"1.0","path":null,"at":"2026-01-15T12:00:00.000Z","actor":"ada"}
    "#);
    for callback in &callbacks {
        assert_eq!((callback.method.as_str(), callback.target.as_str()), ("POST", "/tools/cat"));
        assert_eq!(callback.header("content-type"), "application/json");
        assert_eq!(callback.header("x-service-webhook-hmac"), mac(ada.key(), "cat"));
        assert_eq!(callback.header("x-bintray-webhook-hmac"), mac(ada.key(), "cat"));
        assert_eq!(callback.header("x-bintray-webhook-event"), "", "no receiver was written for an old name of it");
        assert_eq!(callback.header("webhook-signature"), signature(callback, &secret));
    }
}

#[tokio::test]
async fn without_events_a_webhook_gets_releases_as_ever() {
    let (receiver, (house, ada)) = (Receiver::start().await, cat_that_calls().await);
    register(&ada, &receiver.url("/")).await;
    assert_eq!(listed(&ada).await, json!(["release"]));
    upload(&ada, "ada/tools/cat/1.0/a.bin", "meow").await;
    publish(&ada, "ada/tools/cat/1.0").await;
    upload_published(&ada, "ada/tools/cat/1.0/b.bin", "purr").await;
    ada.delete("/content/ada/tools/b.bin").await.expect(200);
    assert_eq!(deliver(&house).await, 1);
    let [release] = &receiver.callbacks()[..] else { panic!("one callback") };
    assert_eq!(
        release.body,
        r#"{"package":"cat","version":"1.0","released":"2026-01-15T12:00:00.000Z","release_notes":""}"#
    );
    assert_eq!(release.header("x-service-webhook-event"), "");
}

#[tokio::test]
async fn each_webhook_gets_what_it_subscribes_to() {
    let (house, ada) = cat_that_calls().await;
    let receivers =
        [Receiver::start().await, Receiver::start().await, Receiver::start().await, Receiver::start().await];
    for (receiver, event) in receivers.iter().zip(ALL) {
        subscribe(&ada, &receiver.url("/"), &[event]).await;
    }
    release(&ada, "1.0").await;
    upload_published(&ada, "ada/tools/cat/1.0/more.bin", "purr").await;
    ada.delete("/content/ada/tools/more.bin").await.expect(200);
    assert_eq!(deliver(&house).await, 6);
    let got = receivers.each_ref().map(|receiver| receiver.callbacks().len());
    assert_eq!(got, [1, 2, 2, 1]);
    for (receiver, event) in receivers.iter().zip(ALL).skip(1) {
        assert!(events(&receiver.callbacks()).iter().all(|header| *header == event), "{event}");
    }
}

#[tokio::test]
async fn get_has_the_fields_in_its_query() {
    let (receiver, (house, ada)) = (Receiver::start().await, cat_that_calls().await);
    let body = json!({"url": receiver.url("/?token=1"), "method": "get", "events": ["upload", "publish"]});
    ada.post(HOOKS).json(body).await.expect(201);
    let robot = key_to(&house, &ada, "robot", "/repos/ada/tools", "rw").await;
    upload_published(&robot, "ada/tools/cat/1.0/a b.bin", "meow").await;
    deliver(&house).await;
    let [upload, publish] = &receiver.callbacks()[..] else { panic!("two callbacks") };
    let mut expected: Vec<(String, String)> = [
        ("token", "1"),
        ("event", "upload"),
        ("subject", "ada"),
        ("repo", "tools"),
        ("package", "cat"),
        ("version", "1.0"),
        ("at", "2026-01-15T12:00:00.000Z"),
        ("actor", "robot@ada"),
        ("path", "a b.bin"),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .into();
    assert_eq!((pairs(&upload.target), upload.body.as_str()), (expected.clone(), ""));
    expected.pop();
    expected[1].1 = "publish".to_owned();
    assert_eq!(pairs(&publish.target), expected);
}

#[tokio::test]
async fn events_are_named_by_what_they_are_called_and_nothing_else() {
    let (_house, ada) = cat_that_calls().await;
    let register =
        async |events: Value| ada.post(HOOKS).json(json!({"url": "https://h.example", "events": events})).await;
    for unknown in ["download", "login_success", "usage_threshold", "*", ""] {
        let message = format!("events: '{unknown}' is not release, publish, upload or delete");
        register(json!(["release", unknown])).await.refuses(400, &message);
    }
    let long = register(json!(["x".repeat(500)])).await.expect(400).message();
    assert_eq!(long, format!("events: '{}' is not release, publish, upload or delete", "x".repeat(40)));
    register(json!([])).await.refuses(400, "events: name at least one of release, publish, upload and delete");
    for wrong in [json!("release"), json!([1]), json!({"release": true})] {
        register(wrong).await.expect(400);
    }
    let slip = ada.post(HOOKS).json(json!({"url": "https://h.example", "event": ["upload"]})).await.expect(400);
    assert!(slip.message().contains("`events`") || slip.message().contains("'events'"), "{}", slip.message());
    assert_eq!(ada.get("/webhooks/ada").await.expect(200).json(), json!([]));
    register(json!(["DELETE", "upload", "Upload", "release"])).await.expect(201);
    assert_eq!(listed(&ada).await, json!(["release", "upload", "delete"]));
    register(Value::Null).await.expect(201);
    assert_eq!(listed(&ada).await, json!(["release"]));
}

#[tokio::test]
async fn another_registration_changes_the_events_and_leaves_the_queue() {
    let (house, ada, receiver, secret) = subscribed(&["upload"]).await;
    upload(&ada, "ada/tools/cat/1.0/a.bin", "meow").await;
    let again = subscribe(&ada, &receiver.url("/%r/%p"), &["delete"]).await;
    assert_eq!(again, secret);
    upload(&ada, "ada/tools/cat/1.0/b.bin", "purr").await;
    ada.delete("/content/ada/tools/b.bin").await.expect(200);
    deliver(&house).await;
    assert_eq!(events(&receiver.callbacks()), ["upload", "delete"]);
    let log = house.admin().get("/audit").await.expect(200).json();
    let details: Vec<&str> = log.as_array().expect("a list").iter().filter_map(|one| one["detail"].as_str()).collect();
    for edit in ["events: release -> upload", "events: upload -> delete"] {
        assert!(details.iter().any(|detail| detail.ends_with(edit)), "{edit}: {details:?}");
    }
}

#[tokio::test]
async fn what_changes_nothing_is_no_event() {
    let (house, ada, receiver, _) = subscribed(&ALL).await;
    upload(&ada, "ada/tools/cat/1.0/a.bin", "meow").await;
    assert_eq!(deliver(&house).await, 1);
    upload(&ada, "ada/tools/cat/1.0/a.bin", "meow").await;
    ada.put("/content/ada/tools/cat/1.0/a.bin").body("other").await.expect(409);
    house.user("eve").await.put("/content/ada/tools/cat/1.0/c.bin").body("hiss").await.expect(403);
    discard(&ada, "ada/tools/cat/1.0").await;
    publish(&ada, "ada/tools/cat/1.0").await;
    assert_eq!((deliver(&house).await, receiver.callbacks().len()), (0, 1));
}

#[tokio::test]
async fn a_deleted_package_notifies_nobody() {
    let (house, ada, receiver, _) = subscribed(&ALL).await;
    release(&ada, "1.0").await;
    ada.delete("/packages/ada/tools/cat").await.expect(200);
    assert_eq!((deliver(&house).await, receiver.callbacks().len()), (0, 0));
    ada.delete("/repos/ada/tools").await.expect(200);
    assert_eq!(deliver(&house).await, 0);
}
