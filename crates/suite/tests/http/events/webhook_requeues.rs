//! Deliveries that are sent again on request.

use serde_json::{Value, json};
use suite::{Person, ReceiverBehaviour};

use crate::{
    access::acme::set_member,
    content::DAY,
    events::{
        webhook_delivery::{hooked, signature},
        webhooks::{HOOKS, deliver, release, standing},
    },
};

const WAITING: &str = "The delivery is still pending; the server sends it on its own";

async fn deliveries(ada: &Person) -> Vec<Value> {
    let list = ada.get(&format!("{HOOKS}/deliveries")).await.expect(200).json();
    list.as_array().expect("a list").clone()
}

/// Returns the event name of the newest delivery.
async fn newest(ada: &Person) -> String {
    deliveries(ada).await[0]["id"].as_str().expect("an event has a name").to_owned()
}

fn replay(event: &str) -> String {
    format!("{HOOKS}/replay/{event}")
}

#[tokio::test]
async fn an_event_is_told_once_more_as_it_was() {
    let (house, ada, receiver, secret) = hooked("post").await;
    release(&ada, "1.0").await;
    deliver(&house).await;
    let notes = json!({"syntax": "plain_text", "content": "written later"});
    ada.post("/packages/ada/tools/cat/versions/1.0/release_notes").json(notes).await.expect(200);
    house.clock.advance(DAY);
    let event = newest(&ada).await;
    ada.post(&replay(&event)).await.refuses(200, "success");
    assert_eq!(deliver(&house).await, 1);
    let [first, second] = &receiver.callbacks()[..] else { panic!("two callbacks") };
    assert_eq!((&first.body, first.header("webhook-id")), (&second.body, second.header("webhook-id")));
    assert_eq!(second.header("webhook-id"), event);
    assert_ne!(first.header("webhook-timestamp"), second.header("webhook-timestamp"));
    assert_eq!(second.header("webhook-signature"), signature(second, &secret));
    assert_eq!(deliver(&house).await, 0, "once");
    let tried = deliveries(&ada).await;
    assert_eq!(tried.len(), 2);
    assert!(tried.iter().all(|tried| tried["can_replay"] == json!(true)), "{tried:?}");
    let log = house.admin().get("/audit").await.expect(200).json();
    let entry = log.as_array().into_iter().flatten().find(|entry| entry["action"] == "webhook.replay").cloned();
    let entry = entry.expect("it is written down");
    assert_eq!((&entry["target"], &entry["detail"]), (&json!("ada/tools/cat"), &json!(event)));
}

#[tokio::test]
async fn what_was_given_up_can_be_told_after_all() {
    let (house, ada, receiver, _) = hooked("post").await;
    receiver.behave(ReceiverBehaviour::Status(500));
    release(&ada, "1.0").await;
    deliver(&house).await;
    let event = newest(&ada).await;
    ada.post(&replay(&event)).await.refuses(409, WAITING);
    for _ in 0..6 {
        house.clock.advance(DAY);
        deliver(&house).await;
    }
    assert_eq!(standing(&ada).await, [("7".to_owned(), false)]);
    ada.post(&replay(&event)).await.refuses(409, "The webhook is off; register it again");
    receiver.behave(ReceiverBehaviour::Status(200));
    ada.post(HOOKS).json(json!({ "url": receiver.url("/hook?token=1") })).await.expect(201);
    assert_eq!(deliver(&house).await, 0, "it was tried often enough");
    ada.post(&replay(&event)).await.refuses(200, "success");
    ada.post(&replay(&event)).await.refuses(409, WAITING);
    assert_eq!(deliver(&house).await, 1);
    assert_eq!(standing(&ada).await, [("0".to_owned(), true)]);
}

#[tokio::test]
async fn tests_and_events_of_hooks_that_have_gone_are_not_told() {
    let (house, ada, receiver, _) = hooked("post").await;
    release(&ada, "1.0").await;
    deliver(&house).await;
    let event = newest(&ada).await;
    ada.post(&format!("{HOOKS}/1.0")).json(json!({ "url": receiver.url("/hook?token=1") })).await.expect(200);
    let tested = deliveries(&ada).await[0].clone();
    assert_eq!(tested["can_replay"], json!(false));
    let test = tested["id"].as_str().expect("a name").to_owned();
    for unknown in [test.as_str(), "msg_0", "msg_zz", "0", "msg_+000000000000001"] {
        ada.post(&replay(unknown)).await.refuses(404, &format!("Event '{unknown}' was not found"));
    }
    ada.delete(HOOKS).await.expect(200);
    ada.post(&replay(&event)).await.refuses(404, &format!("Event '{event}' was not found"));
    assert_eq!(deliver(&house).await, 0);
}

#[tokio::test]
async fn those_who_may_publish_tell_it_and_nobody_else() {
    let (house, ada, _receiver, _) = hooked("post").await;
    release(&ada, "1.0").await;
    deliver(&house).await;
    let event = newest(&ada).await;
    let eve = house.user("eve").await;
    ada.post("/orgs").json(json!({ "name": "acme" })).await.expect(201);
    set_member(&ada, "acme", "eve", "owner").await;
    house.anyone().post(&replay(&event)).await.expect(401);
    eve.post(&replay(&event)).await.refuses(403, "You may not do this");
    // The event does not exist for another package.
    ada.post("/packages/ada/tools").json(json!({ "name": "dog" })).await.expect(201);
    let elsewhere = format!("/webhooks/ada/tools/dog/replay/{event}");
    ada.post(&elsewhere).await.refuses(404, &format!("Event '{event}' was not found"));
    assert_eq!(deliver(&house).await, 0);
}
