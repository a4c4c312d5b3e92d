//! Test callbacks.

use serde_json::{Value, json};
use suite::{Answer, Person, Receiver, ReceiverBehaviour};

use crate::{
    catalogue::new_version,
    content::{cat, cat_that_calls},
    events::{
        webhook_delivery::{hooked, mac, signature},
        webhooks::{HOOKS, deliver, register, release, standing},
    },
};

/// Requests a test callback for version 1.0.
async fn test(who: &Person, url: &str) -> Answer {
    who.post(&format!("{HOOKS}/1.0")).json(json!({ "url": url })).await
}

fn outcome(answer: &Answer) -> (String, Value, Value) {
    let shown = answer.json();
    assert!(shown["duration_ms"].is_u64(), "{shown}");
    (answer.message(), shown["status"].clone(), shown["error"].clone())
}

#[tokio::test]
async fn a_test_is_sent_at_once_and_says_that_it_is_one() {
    let receiver = Receiver::start().await;
    let (_house, ada) = cat_that_calls().await;
    new_version(&ada, "ada/tools/cat", "1.0").await;
    let answer = test(&ada, &receiver.url("/%r/%p")).await.expect(200);
    assert_eq!(outcome(&answer), ("success".to_owned(), json!(200), Value::Null));
    let [told] = &receiver.callbacks()[..] else { panic!("one callback") };
    assert_eq!((told.method.as_str(), told.target.as_str()), ("POST", "/tools/cat"));
    insta::assert_snapshot!(told.body, @r#"{"package":"cat","version":"1.0","released":"2026-01-15T12:00:00.000Z","release_notes":"This is a test of a webhook. Nothing was released."}"#);
    assert_eq!(told.header("x-service-webhook-hmac"), mac(ada.key(), "cat"));
    // A URL that is not a webhook has no secret.
    assert_eq!((told.header("webhook-signature"), told.header("webhook-id").is_empty()), ("", false));
}

#[tokio::test]
async fn a_test_of_a_hook_is_sent_as_the_hook_is() {
    let (house, ada, receiver, secret) = hooked("put").await;
    new_version(&ada, "ada/tools/cat", "1.0").await;
    // The MAC uses the caller's own key.
    test(&house.admin(), &receiver.url("/hook?token=1")).await.expect(200);
    let told = &receiver.callbacks()[0];
    assert_eq!((told.method.as_str(), told.target.as_str()), ("PUT", "/hook?token=1"));
    assert_eq!(told.header("webhook-signature"), signature(told, &secret));
    assert_eq!(told.header("x-service-webhook-hmac"), mac(house.admin().key(), "cat"));
    let listed = ada.get(&format!("{HOOKS}/deliveries")).await.expect(200).json();
    assert_eq!((&listed[0]["id"], &listed[0]["status"]), (&json!(told.header("webhook-id")), &json!(200)));
}

#[tokio::test]
async fn a_failed_test_counts_for_the_hook_with_that_address() {
    let (house, ada, receiver, _) = hooked("post").await;
    let url = receiver.url("/hook?token=1");
    release(&ada, "1.0").await;
    deliver(&house).await;
    receiver.behave(ReceiverBehaviour::Status(500));
    let failed = test(&ada, &url).await.expect(200);
    let error = "the receiver answered with 500";
    assert_eq!(outcome(&failed), (format!("The callback failed: {error}"), json!(500), json!(error)));
    assert_eq!(standing(&ada).await, [("1".to_owned(), true)]);
    // A test of another URL does not count.
    test(&ada, &receiver.url("/elsewhere")).await.expect(200);
    assert_eq!(standing(&ada).await, [("1".to_owned(), true)]);
    receiver.behave(ReceiverBehaviour::Status(200));
    test(&ada, &url).await.expect(200);
    assert_eq!(standing(&ada).await, [("0".to_owned(), true)]);
    receiver.behave(ReceiverBehaviour::Status(500));
    for _ in 0..7 {
        test(&ada, &url).await.expect(200);
    }
    assert_eq!(standing(&ada).await, [("7".to_owned(), false)]);
    // A deactivated webhook stays deactivated, no matter how a test ends.
    test(&ada, &url).await.expect(200);
    receiver.behave(ReceiverBehaviour::Status(200));
    test(&ada, &url).await.expect(200);
    assert_eq!(standing(&ada).await, [("7".to_owned(), false)]);
    register(&ada, &url).await;
    assert_eq!(standing(&ada).await, [("0".to_owned(), true)]);
}

#[tokio::test]
async fn a_test_needs_a_version_an_address_and_the_right() {
    let (house, ada) = cat().await;
    test(&ada, "https://example.org/").await.refuses(404, "Version '1.0' was not found");
    new_version(&ada, "ada/tools/cat", "1.0").await;
    test(&ada, "http://10.0.0.1/").await.refuses(400, "url: 'http://10.0.0.1/': '10.0.0.1' is not a public address");
    test(&ada, "https://%p/").await.expect(400);
    test(&house.anyone(), "https://example.org/").await.expect(401);
    test(&house.user("eve").await, "https://example.org/").await.refuses(403, "You may not do this");
}

#[tokio::test]
async fn the_log_tells_where_a_callback_went_without_its_path() {
    let (house, ada, receiver, _) = hooked("post").await;
    new_version(&ada, "ada/tools/cat", "1.0").await;
    test(&ada, &receiver.url("/hook?token=1")).await.expect(200);
    let log = house.admin().get("/audit").await.expect(200);
    let entries = log.json();
    let entry = |index: usize| {
        let [action, target, detail] =
            ["action", "target", "detail"].map(|field| entries[index][field].as_str().unwrap_or_default().to_owned());
        format!("{action} {target} {}", detail.replace(&receiver.address.to_string(), "RECEIVER"))
    };
    assert_eq!(entry(0), "webhook.test ada/tools/cat/1.0 http://RECEIVER");
    assert_eq!(entry(2), "webhook.register ada/tools/cat post http://RECEIVER");
    assert!(!log.text().contains("token"), "{}", log.text());
}
