//! `packhouse webhook`, against a server that calls and a receiver that listens.

use std::time::Duration;

use serde_json::Value;
use suite::{Receiver, ReceiverBehaviour};

use crate::scene::Scene;

#[tokio::test]
async fn webhooks_are_added_called_listed_and_removed() {
    let (scene, receiver) = (Scene::with_cat_and_calls().await, Receiver::start().await);
    let url = receiver.url("/%r/%p");
    let add = ["webhook", "add", "ada/tools/cat", &url, "--method", "put"];

    let dry = scene.told(&[&add[..], &["--dry-run"]].concat()).await;
    assert_eq!(scene.told(&["webhook", "ls", "ada/tools"]).await, "no results\nexit 0", "{dry}");
    let added = scene.told(&add).await;
    assert!(added.starts_with(&format!("{url} is called when ada/tools/cat is released\nsecret  whsec_")), "{added}");
    let listed = scene.told(&["webhook", "ls", "ada"]).await;
    let words: Vec<&str> = listed.lines().nth(1).unwrap_or_default().split_whitespace().collect();
    assert_eq!(words, ["cat", &url, "put", "true", "0", "release"], "{listed}");

    scene.file("purr.txt", "purr");
    scene.run(&["push", "ada/tools/cat/1.1", "purr.txt", "--create", "--publish"]).await.succeeds();
    let called = &receiver.wait_for(1).await[0];
    assert_eq!((called.method.as_str(), called.target.as_str()), ("PUT", "/tools/cat"));
    let deliveries = deliveries(&scene).await;
    assert_eq!((&deliveries[0]["version"], &deliveries[0]["status"]), (&"1.1".into(), &200.into()), "{deliveries}");

    assert_eq!(
        scene.told(&["webhook", "rm", "ada/tools/cat", "--yes"]).await,
        "removed the webhooks of ada/tools/cat\nexit 0"
    );
    assert_eq!(scene.told(&["webhook", "ls", "ada"]).await, "no results\nexit 0");
}

#[tokio::test]
async fn a_webhook_is_called_on_the_events_that_it_was_added_for() {
    let (scene, receiver) = (Scene::with_cat_and_calls().await, Receiver::start().await);
    let url = receiver.url("/hook");
    let add = ["webhook", "add", "ada/tools/cat", &url, "--event", "upload", "--event", "publish"];
    let dry = scene.told(&[&add[..], &["--dry-run"]].concat()).await;
    assert!(dry.contains(&format!("call {url} on upload, publish of ada/tools/cat")), "{dry}");
    let added = scene.told(&add).await;
    assert!(added.starts_with(&format!("{url} is called on upload, publish of ada/tools/cat\nsecret ")), "{added}");
    let listed = scene.told(&["webhook", "ls", "ada"]).await;
    assert!(listed.lines().nth(1).unwrap_or_default().ends_with("publish, upload"), "{listed}");

    scene.file("purr.txt", "purr");
    scene.run(&["push", "ada/tools/cat/1.1", "purr.txt", "--create", "--publish"]).await.succeeds();
    let called = receiver.wait_for(2).await;
    let events: Vec<&str> = called.iter().map(|call| call.header("x-service-webhook-event")).collect();
    assert_eq!(events, ["upload", "publish"]);
    let wrong = scene.run(&["webhook", "add", "ada/tools/cat", &url, "--event", "download"]).await;
    assert_eq!(wrong.code, Some(2), "{wrong:?}");
}

/// Returns the deliveries of the package. A delivery is recorded a moment after the receiver has answered it.
async fn deliveries(scene: &Scene) -> Value {
    for _ in 0..50 {
        let listed = scene.run(&["webhook", "deliveries", "ada/tools/cat", "--json"]).await.succeeds();
        let listed: Value = serde_json::from_str(&listed).expect("JSON");
        if listed[0].is_object() {
            return listed;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("no delivery was written down");
}

#[tokio::test]
async fn a_call_is_tried_and_what_came_back_is_told() {
    let (scene, receiver) = (Scene::with_cat_and_calls().await, Receiver::start().await);
    let url = receiver.url("/hook");
    let test = ["webhook", "test", "ada/tools/cat/1.0", &url];

    let good = scene.run(&test).await;
    assert_eq!(good.code, Some(0), "{good:?}");
    receiver.behave(ReceiverBehaviour::Status(500));
    let bad = scene.run(&test).await;
    assert_eq!(bad.code, Some(1), "{bad:?}");
    assert_eq!(receiver.callbacks().len(), 2);
}

#[tokio::test]
async fn an_address_that_servers_do_not_call_is_refused() {
    let scene = Scene::with_cat().await;
    let refused = scene.run(&["webhook", "test", "ada/tools/cat/1.0", "http://127.0.0.1:9/hook"]).await;
    assert_ne!(refused.code, Some(0), "{refused:?}");
}
