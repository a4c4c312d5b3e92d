//! Webhooks and streams under the old header names.

use serde_json::json;
use suite::{Receiver, TestHouse};

use crate::{
    catalogue::{new_package, new_repo},
    events::webhooks::{HOOKS, deliver, register, release},
};

const MAC: [&str; 2] = ["x-service-webhook-hmac", "x-bintray-webhook-hmac"];
const RECONNECT_ID: [&str; 2] = ["x-service-stream-reconnect-id", "x-bintray-stream-reconnect-id"];
const LIMIT: [&str; 2] = ["x-service-webhooklimit-limit", "x-bintray-webhooklimit-limit"];

/// Returns the values of the current and the old headers: of a callback, of a test callback, of the limit of webhooks,
/// and of the stream.
async fn told(old_client_names: &str) -> Vec<[String; 2]> {
    let house =
        TestHouse::start_with(&[("old_client_names", old_client_names), ("outgoing.allow_private", "true")]).await;
    let (ada, receiver) = (house.user("ada").await, Receiver::start().await);
    new_repo(&ada, "ada/tools").await;
    new_package(&ada, "ada/tools", "cat").await;
    let registered = register(&ada, &receiver.url("/")).await;
    release(&ada, "1.0").await;
    deliver(&house).await;
    ada.post(&format!("{HOOKS}/1.0")).json(json!({"url": receiver.url("/")})).await.expect(200);
    let stream = ada.get("/stream/ada").open().await;
    let header = |name: &str| stream.headers().get(name).map_or("", |value| value.to_str().expect("text")).to_owned();
    let callbacks = receiver.callbacks();
    assert_eq!(callbacks.len(), 2);
    let mut all: Vec<_> = callbacks.iter().map(|told| MAC.map(|name| told.header(name).to_owned())).collect();
    all.push(LIMIT.map(|name| registered.header(name).to_owned()));
    all.push(RECONNECT_ID.map(header));
    all
}

#[tokio::test]
async fn receivers_and_followers_find_the_names_that_they_know() {
    for [new, old] in told("true").await {
        assert!(!new.is_empty());
        assert_eq!(old, new);
    }
}

#[tokio::test]
async fn without_the_setting_there_are_todays_names_only() {
    for [new, old] in told("false").await {
        assert!(!new.is_empty());
        assert_eq!(old, "");
    }
}

/// The first stream clients resume with this header.
#[tokio::test]
async fn a_stream_goes_on_by_the_old_name() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    let id = ada.get("/stream/ada").open().await.headers()[RECONNECT_ID[1]].clone();
    new_repo(&ada, "ada/tools").await;
    new_package(&ada, "ada/tools", "cat").await;
    release(&ada, "1.0").await;
    let mut lines = ada.get("/stream/ada").header(RECONNECT_ID[1], id.to_str().expect("text")).follow().await;
    assert_eq!(lines.event().await["type"], "upload");
}
