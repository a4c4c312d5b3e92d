//! Receivers that fail: the failure count, when a webhook is deactivated, and how it is activated again.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use operations::events::webhooks;
use serde_json::{Value, json};
use suite::{Person, Receiver, ReceiverBehaviour, TestHouse};

use crate::{
    catalogue::{new_package, new_repo},
    content::{DAY, INSIDE, SECOND, cat_that_calls},
    events::{
        webhook_delivery::hooked,
        webhooks::{HOOKS, deliver, register, release, standing},
    },
};

/// Publishes this many versions, the first of which has this number.
async fn releases(ada: &Person, first: usize, count: usize) {
    for number in first..first + count {
        release(ada, &format!("{number}.0")).await;
    }
}

/// Returns the entries of the audit log with this action.
async fn audited(house: &TestHouse, action: &str) -> Vec<Value> {
    let log = house.admin().get("/audit").await.expect(200).json();
    log.as_array().expect("a list").iter().filter(|entry| entry["action"] == action).cloned().collect()
}

fn off_after(count: &str) -> [(String, bool); 1] {
    [(count.to_owned(), false)]
}

fn on_after(count: &str) -> [(String, bool); 1] {
    [(count.to_owned(), true)]
}

#[tokio::test]
async fn the_seventh_failure_in_a_row_switches_a_hook_off() {
    let (house, ada, receiver, _) = hooked("post").await;
    receiver.behave(ReceiverBehaviour::Status(500));
    release(&ada, "1.0").await;
    for count in 1..=6 {
        assert_eq!(deliver(&house).await, 1);
        assert_eq!(standing(&ada).await, on_after(&count.to_string()));
        house.clock.advance(6 * 3_600 * SECOND);
    }
    assert_eq!(deliver(&house).await, 1);
    assert_eq!(standing(&ada).await, off_after("7"));
    release(&ada, "2.0").await;
    house.clock.advance(DAY);
    assert_eq!((deliver(&house).await, receiver.callbacks().len()), (0, 7));
    let [entry] = &audited(&house, "webhook.deactivate").await[..] else { panic!("one entry") };
    assert_eq!(entry["actor"], "(webhooks)");
    assert_eq!((&entry["target"], &entry["detail"]), (&json!("ada/tools/cat"), &json!("7 failures in a row")));
}

#[tokio::test]
async fn a_success_forgets_the_failures() {
    let (house, ada, receiver, _) = hooked("post").await;
    receiver.behave(ReceiverBehaviour::Status(404));
    releases(&ada, 1, 6).await;
    assert_eq!((deliver(&house).await, standing(&ada).await), (6, on_after("6").to_vec()));
    receiver.behave(ReceiverBehaviour::Status(201));
    release(&ada, "7.0").await;
    assert_eq!((deliver(&house).await, standing(&ada).await), (1, on_after("0").to_vec()));
    receiver.behave(ReceiverBehaviour::Status(404));
    releases(&ada, 8, 6).await;
    assert_eq!((deliver(&house).await, standing(&ada).await), (6, on_after("6").to_vec()));
}

#[tokio::test]
async fn a_hook_that_is_registered_again_is_on_again_and_hears_what_it_missed() {
    let (house, ada, receiver, _) = hooked("post").await;
    receiver.behave(ReceiverBehaviour::Status(500));
    releases(&ada, 1, 8).await;
    assert_eq!((deliver(&house).await, standing(&ada).await), (7, off_after("7").to_vec()));
    release(&ada, "9.0").await;
    house.clock.advance(DAY);
    assert_eq!(deliver(&house).await, 0);
    receiver.behave(ReceiverBehaviour::Status(200));
    register(&ada, &receiver.url("/hook?token=1")).await;
    assert_eq!(standing(&ada).await, on_after("0"));
    // All deliveries that were pending at the deactivation, but no releases from the time after it.
    assert_eq!(deliver(&house).await, 8);
    release(&ada, "10.0").await;
    assert_eq!(deliver(&house).await, 1);
    let told = receiver.callbacks();
    assert!(told.iter().all(|told| !told.body.contains(r#""version":"9.0""#)));
    assert_eq!(told.len(), 16);
}

#[tokio::test]
async fn what_waits_for_a_hook_that_stays_off_is_forgotten() {
    let (house, ada, receiver, _) = hooked("post").await;
    receiver.behave(ReceiverBehaviour::Status(500));
    releases(&ada, 1, 8).await;
    deliver(&house).await;
    house.clock.advance(31 * DAY);
    operations::jobs::run_once(house.app().house(), "expired_deliveries").await.expect("forgotten");
    register(&ada, &receiver.url("/hook?token=1")).await;
    assert_eq!(deliver(&house).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn three_nodes_switch_a_hook_off_after_exactly_seven_callbacks() {
    let (house, ada, receiver, _) = hooked("post").await;
    receiver.behave(ReceiverBehaviour::Status(500));
    releases(&ada, 1, 20).await;
    // An embedded database has one server, whose workers then race each other.
    let others = [house.start_another().await, house.start_another().await];
    let nodes = [Some(&house), others[0].as_ref(), others[1].as_ref()].map(|node| node.unwrap_or(&house));
    let racing = (0..9).map(|number| {
        let node = nodes[number % 3].app().clone();
        tokio::spawn(async move { webhooks::deliver_due(node.house()).await.expect("delivered") })
    });
    let sent: usize = join_all(racing).await.into_iter().map(|sent| sent.expect("it ends")).sum();
    let receipts = receiver.callbacks().len();
    assert_eq!((sent, receipts, standing(&ada).await), (7, 7, off_after("7").to_vec()));
    assert_eq!(audited(&house, "webhook.deactivate").await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn three_nodes_tell_each_release_once() {
    let (house, ada, receiver, _) = hooked("post").await;
    releases(&ada, 1, 20).await;
    let others = [house.start_another().await, house.start_another().await];
    let nodes = [Some(&house), others[0].as_ref(), others[1].as_ref()].map(|node| node.unwrap_or(&house));
    let racing = (0..9).map(|number| {
        let node = nodes[number % 3].app().clone();
        tokio::spawn(async move { webhooks::deliver_due(node.house()).await.expect("delivered") })
    });
    join_all(racing).await;
    // A worker that finds a webhook leased leaves it to the owner of the lease, who continues.
    let mut told: Vec<String> = receiver.callbacks().into_iter().map(|told| told.body).collect();
    told.sort_unstable();
    told.dedup();
    assert_eq!((told.len(), receiver.callbacks().len()), (20, 20));
}

#[tokio::test]
async fn the_number_of_failures_is_a_setting() {
    let receiver = Receiver::start().await;
    let house = TestHouse::start_with(&[("limits.webhook_failures", "2"), INSIDE]).await;
    let ada = house.user("ada").await;
    new_repo(&ada, "ada/tools").await;
    new_package(&ada, "ada/tools", "cat").await;
    register(&ada, &receiver.url("/")).await;
    receiver.behave(ReceiverBehaviour::Status(500));
    releases(&ada, 1, 5).await;
    assert_eq!((deliver(&house).await, standing(&ada).await), (2, off_after("2").to_vec()));
}

#[tokio::test]
async fn a_redirect_is_a_failure_and_is_not_followed() {
    let (house, ada, receiver, _) = hooked("get").await;
    let elsewhere = Receiver::start().await;
    receiver.behave(ReceiverBehaviour::Redirect(elsewhere.url("/")));
    release(&ada, "1.0").await;
    deliver(&house).await;
    assert_eq!((receiver.callbacks().len(), elsewhere.callbacks().len()), (1, 0));
    assert_eq!(standing(&ada).await, on_after("1"));
    let listed = ada.get(&format!("{HOOKS}/deliveries")).await.expect(200).json();
    assert_eq!((&listed[0]["status"], &listed[0]["error"]), (&json!(302), &json!("the receiver answered with 302")));
}

#[tokio::test]
async fn a_receiver_that_is_not_there_is_a_failure() {
    let (house, ada) = cat_that_calls().await;
    let gone = Receiver::start().await.url("/?token=secret");
    register(&ada, &gone).await;
    release(&ada, "1.0").await;
    deliver(&house).await;
    let listed = ada.get(&format!("{HOOKS}/deliveries")).await.expect(200);
    assert_eq!(listed.json()[0]["status"], Value::Null);
    assert!(listed.json()[0]["error"].is_string() && !listed.text().contains("secret"), "{}", listed.text());
    assert_eq!(standing(&ada).await, on_after("1"));
}

#[tokio::test]
async fn a_receiver_that_hangs_is_given_up_and_delays_no_other() {
    let (house, ada, hanging, _) = hooked("post").await;
    hanging.behave(ReceiverBehaviour::Hang);
    let good = Receiver::start().await;
    register(&ada, &good.url("/")).await;
    releases(&ada, 1, 3).await;
    let app = house.app().clone();
    let began = Instant::now();
    let delivering = tokio::spawn(async move { webhooks::deliver_due(app.house()).await });
    good.wait_for(1).await;
    let waited = began.elapsed();
    assert!(waited < Duration::from_secs(5), "{waited:?}");
    // Another node, or the next pass of this one, continues with all webhooks but the one that hangs.
    let others = async {
        while good.callbacks().len() < 3 {
            deliver(&house).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(5), others).await.expect("nothing waits for the hook that hangs");
    let released = hanging.wait_for(1).await.len();
    hanging.behave(ReceiverBehaviour::Status(200));
    delivering.await.expect("it ends").expect("delivered");
    let waited = began.elapsed();
    assert!((Duration::from_millis(9_900)..Duration::from_secs(20)).contains(&waited), "{waited:?}");
    assert_eq!((released, hanging.callbacks().len()), (1, 3));
    let listed = ada.get(&format!("{HOOKS}/deliveries")).await.expect(200).json();
    let hung = listed.as_array().expect("a list").iter().find(|tried| tried["status"].is_null()).expect("one failed");
    assert_eq!(hung["error"], "the request timed out");
    assert!(hung["duration_ms"].as_i64().is_some_and(|ms| (9_900..20_000).contains(&ms)), "{hung}");
}

#[tokio::test]
async fn what_a_node_has_claimed_and_not_sent_is_sent_when_the_claim_ends() {
    let (house, ada, receiver, _) = hooked("post").await;
    receiver.behave(ReceiverBehaviour::Hang);
    release(&ada, "1.0").await;
    let app = house.app().clone();
    let dying = tokio::spawn(async move { webhooks::deliver_due(app.house()).await });
    receiver.wait_for(1).await;
    dying.abort();
    assert!(dying.await.is_err());
    receiver.behave(ReceiverBehaviour::Status(200));
    house.clock.advance(29_999);
    assert_eq!(deliver(&house).await, 0);
    house.clock.advance(1);
    assert_eq!(deliver(&house).await, 1);
    let told = receiver.callbacks();
    assert_eq!(told[0].header("webhook-id"), told[1].header("webhook-id"));
    assert_eq!(standing(&ada).await, on_after("0"));
}
