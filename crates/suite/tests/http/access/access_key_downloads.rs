//! The download counts and limits of access keys.

use futures_util::StreamExt;
use serde_json::{Value, json};
use suite::{Person, TestHouse};

use crate::{
    access::access_key_use::{FILE, vault},
    cluster::together::{statuses, together},
    content::upload_published,
};

pub(crate) const USED_UP: &str = "The downloads of access key 'client@ada' are used up";

async fn usage(house: &TestHouse, ada: &Person) -> Value {
    house.flush().await;
    ada.get("/users/ada/access_keys/client/usage").await.expect(200).json()
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_hundred_downloads_at_once_the_limit_succeeds() {
    let (house, ada, client) = vault(&[], json!({"max_downloads": 10})).await;
    let answers = together((0..100).map(|_| client.download(FILE))).await;
    assert_eq!(statuses(&answers), [[200; 10].as_slice(), &[403; 90]].concat());
    client.download(FILE).await.refuses(403, USED_UP);
    assert_eq!(usage(&house, &ada).await["downloads"], 10);
}

#[tokio::test]
async fn what_is_no_download_is_not_taken_from_the_rest() {
    let (house, _ada, client) = vault(&[], json!({"max_downloads": 2})).await;
    for _ in 0..5 {
        client.head("//dl/ada/vault/cat.bin").await.expect(200);
        client.download(FILE).header("range", "bytes=9-").await.expect(416);
        client.download("/ada/vault/cat.bin.sha1").await.expect(200);
        client.download("/ada/vault/").await.expect(200);
    }
    let etag = client.download(FILE).await.expect(200).header("etag").to_owned();
    client.download(FILE).header("if-none-match", &etag).await.expect(304);
    house.flush().await;
    client.download(FILE).header("range", "bytes=0-1").await.expect(206);
    client.download(FILE).header("range", "bytes=2-").await.expect(206);
    client.download(FILE).await.refuses(403, USED_UP);
    client.download(FILE).header("range", "bytes=0-1").await.refuses(403, USED_UP);
    client.download("/ada/vault/cat.bin.sha1").await.expect(200);
    client.get("/packages/ada/vault/cat").await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_download_that_breaks_off_is_gone_on_with() {
    let (house, ada, client) = vault(&[], json!({"max_downloads": 1})).await;
    let large = "meow".repeat(4 << 20);
    upload_published(&ada, "ada/vault/cat/1.0/large.bin", &large).await;
    let url = format!("http://{}/dl/ada/vault/large.bin", house.address);
    let call = reqwest::Client::builder().no_proxy().build().expect("a client").get(&url);
    let answer = call.basic_auth(client.name(), Some(client.key())).send().await.expect("an answer");
    assert_eq!(answer.status(), 200);
    let mut body = answer.bytes_stream();
    assert!(body.next().await.is_some());
    client.download(FILE).await.refuses(403, USED_UP);
    drop(body);
    // The server notices the disconnect a moment later, and returns the unsent bytes to the quota.
    let rest = format!("bytes={}-", large.len() - 1_000);
    let again = || client.download("/ada/vault/large.bin").header("range", &rest);
    while again().await.status == 403 {
        tokio::task::yield_now().await;
    }
    client.download(FILE).await.refuses(403, USED_UP);
}

#[tokio::test]
async fn a_limit_is_raised_lowered_and_lifted() {
    let (_house, ada, client) = vault(&[], json!({"max_downloads": 1})).await;
    client.download(FILE).await.expect(200);
    client.download(FILE).await.expect(403);
    let set = async |most: Value| {
        ada.patch("/users/ada/access_keys/client").json(json!({ "max_downloads": most })).await.expect(200);
    };
    set(json!(3)).await;
    client.download(FILE).await.expect(200);
    set(json!(2)).await;
    client.download(FILE).await.expect(403);
    set(Value::Null).await;
    client.download(FILE).await.expect(200);
    client.download(FILE).await.expect(200);
    set(json!(2)).await;
    client.download(FILE).await.refuses(403, USED_UP);
}

#[tokio::test]
async fn a_key_with_a_limit_gets_no_signed_address() {
    let (_house, ada, client) = vault(&[], json!({"max_downloads": 1})).await;
    let latest = "/content/ada/vault/cat.bin?svc_package=cat";
    client.get(latest).await.refuses(403, "An access key with a limit of downloads is for the download host only");
    ada.patch("/users/ada/access_keys/client").json(json!({"max_downloads": null})).await.expect(200);
    client.get(latest).await.expect(302);
}

#[tokio::test]
async fn usage_is_counted_with_the_downloads() {
    let (house, ada, client) = vault(&[], json!({})).await;
    let unused = json!({"downloads": 0, "bytes": 0, "last_used": null, "last_address": null});
    assert_eq!(usage(&house, &ada).await, unused);
    house.clock.advance(1_500);
    for _ in 0..3 {
        client.download(FILE).await.expect(200);
    }
    client.download(FILE).header("range", "bytes=2-").await.expect(206);
    client.download(FILE).header("range", "bytes=0-1").await.expect(206);
    ada.download(FILE).await.expect(200);
    insta::assert_snapshot!(usage(&house, &ada).await, @r#"{"bytes":14,"downloads":4,"last_address":"127.0.0.1","last_used":"2026-01-15T12:00:01.500Z"}"#);
    house.clock.advance(500);
    client.download(FILE).await.expect(200);
    insta::assert_snapshot!(usage(&house, &ada).await, @r#"{"bytes":18,"downloads":5,"last_address":"127.0.0.1","last_used":"2026-01-15T12:00:02.000Z"}"#);
    // A deleted key loses its counts, which does not affect later keys.
    client.download(FILE).await.expect(200);
    ada.delete("/users/ada/access_keys/client").await.expect(200);
    house.key(&ada, "client", json!({})).await;
    house.grant("ada/vault", "client", "r").await;
    assert_eq!(usage(&house, &ada).await, unused);
}
