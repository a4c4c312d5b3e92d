//! The deliveries of all events: requeued, parked, bounded, and only for those who may publish.

use database::events::webhook_deliveries::count_pending;
use serde_json::{Value, json};
use suite::{Person, Receiver, ReceiverBehaviour, TestHouse};

use crate::{
    access::acme::set_member,
    catalogue::{new_package, new_private_repo},
    content::archives::{tar, zip},
    content::{DAY, INSIDE, SECOND, cat_that_calls, publish, upload},
    events::webhook_delivery::{deliveries, hook_id, signature},
    events::webhook_events::{ALL, events, subscribe, subscribed},
    events::webhooks::{HOOKS, deliver, standing},
};

/// The maximum number of pending deliveries of a webhook, except for releases.
const MOST: i64 = 1_000;

/// Creates one event of each kind.
async fn one_of_each(ada: &Person) {
    upload(ada, "ada/tools/cat/1.0/a.bin", "meow").await;
    publish(ada, "ada/tools/cat/1.0").await;
    ada.delete("/content/ada/tools/a.bin").await.expect(200);
}

async fn pending(house: &TestHouse, url: &str) -> i64 {
    let db = &house.app().house().db;
    count_pending(db, hook_id(house, url).await, 1_000_000).await.expect("read")
}

#[tokio::test]
async fn an_event_of_each_kind_is_sent_again_as_it_was() {
    let (house, ada, receiver, secret) = subscribed(&ALL).await;
    one_of_each(&ada).await;
    assert_eq!(deliver(&house).await, 4);
    let first = receiver.callbacks();
    house.clock.advance(DAY);
    for callback in &first {
        let replay = format!("{HOOKS}/replay/{}", callback.header("webhook-id"));
        ada.post(&replay).await.refuses(200, "success");
        ada.post(&replay).await.expect(409);
        assert_eq!(deliver(&house).await, 1);
    }
    let again = receiver.callbacks().split_off(4);
    assert_eq!(events(&again), ["upload", "publish", "", "delete"]);
    for (again, first) in again.iter().zip(&first) {
        assert_eq!((&again.body, again.header("webhook-id")), (&first.body, first.header("webhook-id")));
        assert_ne!(again.header("webhook-timestamp"), first.header("webhook-timestamp"));
        assert_eq!(again.header("webhook-signature"), signature(again, &secret));
    }
}

#[tokio::test]
async fn events_of_each_kind_are_parked_while_a_webhook_is_off() {
    let (house, ada, receiver, _) = subscribed(&ALL).await;
    receiver.behave(ReceiverBehaviour::Status(500));
    one_of_each(&ada).await;
    for wait in [0, 5, 60, 300, 1_800, 7_200, 21_600] {
        house.clock.advance(wait * SECOND);
        deliver(&house).await;
    }
    assert_eq!(standing(&ada).await, [("7".to_owned(), false)]);
    let sent = receiver.callbacks().len();
    assert_eq!((sent, pending(&house, &receiver.url("/%r/%p")).await), (7, 0));
    upload(&ada, "ada/tools/cat/2.0/while-off.bin", "meow").await;
    assert_eq!(deliver(&house).await, 0);
    receiver.behave(ReceiverBehaviour::Status(204));
    subscribe(&ada, &receiver.url("/%r/%p"), &ALL).await;
    assert_eq!(deliver(&house).await, 4);
    assert_eq!(events(&receiver.callbacks()[sent..]), ["upload", "publish", "", "delete"]);
}

#[tokio::test]
async fn a_failed_event_is_retried_and_counts_like_a_release() {
    let (house, ada, receiver, _) = subscribed(&["upload"]).await;
    receiver.behave(ReceiverBehaviour::Status(503));
    upload(&ada, "ada/tools/cat/1.0/a.bin", "meow").await;
    deliver(&house).await;
    assert_eq!(standing(&ada).await, [("1".to_owned(), true)]);
    receiver.behave(ReceiverBehaviour::Status(200));
    house.clock.advance(5 * SECOND);
    assert_eq!(deliver(&house).await, 1);
    assert_eq!(standing(&ada).await, [("0".to_owned(), true)]);
    let list = deliveries(&ada).await;
    let seen = |number: usize| (&list[number]["version"], &list[number]["status"], &list[number]["can_replay"]);
    assert_eq!(seen(0), (&json!("1.0"), &json!(200), &json!(true)));
    assert_eq!(seen(1), (&json!("1.0"), &json!(503), &json!(true)));
}

#[tokio::test]
async fn an_archive_enqueues_a_bounded_number_of_deliveries_and_says_so() {
    let (receiver, (house, ada)) = (Receiver::start().await, cat_that_calls().await);
    let urls = [receiver.url("/1"), receiver.url("/2")];
    for url in &urls {
        subscribe(&ada, url, &ALL).await;
    }
    let names: Vec<String> = (0..MOST + 5).map(|number| format!("{number}.txt")).collect();
    let entries: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "meow")).collect();
    let put = |path: &str, archive: Vec<u8>| ada.put(path).header("x-service-explode", "1").body(archive);
    put("/content/ada/tools/cat/1.0/all.tar", tar(&entries)).await.refuses(201, "success");
    for url in &urls {
        assert_eq!(pending(&house, url).await, MOST, "{url}");
    }
    // The publish is dropped, and the release is not.
    publish(&ada, "ada/tools/cat/1.0").await;
    put("/content/ada/tools/cat/2.0/two.zip", zip(&[("x/1", "1"), ("x/2", "2")])).await.expect(201);
    for url in &urls {
        assert_eq!(pending(&house, url).await, MOST + 1, "{url}");
    }
    let list = deliveries(&ada).await;
    assert_eq!(list.len(), 1, "one entry, however many events: {list:?}");
    assert_eq!(
        (&list[0]["error"], &list[0]["status"], &list[0]["version"], &list[0]["can_replay"]),
        (
            &json!("too many deliveries of a webhook are pending; events are dropped until there is room"),
            &Value::Null,
            &json!("1.0"),
            &json!(false),
        )
    );
    assert_eq!(standing(&ada).await, [("0".to_owned(), true), ("0".to_owned(), true)]);
}

#[tokio::test]
async fn an_archive_is_one_event_for_each_file() {
    let (house, ada, receiver, _) = subscribed(&["upload"]).await;
    let archive = zip(&[("lib/", ""), ("lib/a", "meow"), ("b", "purr")]);
    let put = ada.put("/content/ada/tools/cat/1.0/two.zip").header("x-service-explode", "1").body(archive);
    put.await.refuses(201, "success");
    assert_eq!(deliver(&house).await, 2);
    let paths: Vec<Value> = receiver
        .callbacks()
        .iter()
        .map(|callback| serde_json::from_str::<Value>(&callback.body).expect("JSON")["path"].clone())
        .collect();
    assert_eq!(paths, [json!("b"), json!("lib/a")]);
}

#[tokio::test]
async fn no_event_reaches_a_user_who_lost_access() {
    let receiver = Receiver::start().await;
    let house = TestHouse::start_with(&[INSIDE]).await;
    let (ada, bea) = (house.user("ada").await, house.user("bea").await);
    ada.post("/orgs").json(json!({"name": "acme"})).await.expect(201);
    set_member(&ada, "acme", "bea", "admin").await;
    new_private_repo(&ada, "acme/vault").await;
    new_package(&ada, "acme/vault", "owl").await;
    let body = json!({"url": receiver.url("/"), "events": ALL});
    bea.post("/webhooks/acme/vault/owl").json(body.clone()).await.expect(201);
    upload(&ada, "acme/vault/owl/1.0/owl.bin", "hoot").await;
    set_member(&ada, "acme", "bea", "member").await;
    publish(&ada, "acme/vault/owl/1.0").await;
    ada.delete("/content/acme/vault/owl.bin").await.expect(200);
    for wait in [0, 5, 60, 300, 1_800, 7_200, 21_600] {
        house.clock.advance(wait * SECOND);
        deliver(&house).await;
    }
    assert_eq!(receiver.callbacks().len(), 0);
    assert_eq!(ada.get("/webhooks/acme").await.expect(200).json()[0]["active"], json!(false));
    for (path, status) in [("/webhooks/acme/vault", 404), ("/webhooks/acme/vault/owl/deliveries", 404)] {
        bea.get(path).await.expect(status);
    }
    bea.post("/webhooks/acme/vault/owl").json(body).await.expect(404);
    release_of(&ada).await;
    assert_eq!((deliver(&house).await, receiver.callbacks().len()), (0, 0));
}

async fn release_of(ada: &Person) {
    upload(ada, "acme/vault/owl/2.0/owl.bin", "hoot").await;
    publish(ada, "acme/vault/owl/2.0").await;
}
