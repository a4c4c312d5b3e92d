//! Bytes that were reserved from a key's quota but not sent are returned to it, exactly once.

use database::{ScopedFutureExt, access::access_key_transfers as transfers};
use model::{
    download_quota::PaidContent,
    id::{BlobId, KeyId},
};
use serde_json::json;
use suite::{Person, TestHouse};

use crate::access::{
    access_key_downloads::USED_UP,
    access_key_use::{FILE, vault_in},
};

/// Returns the id of the access key and its number of spent downloads, from the database.
async fn key(house: &TestHouse) -> (KeyId, i64) {
    let owner = model::names::SubjectName::parse("ada").expect("a name");
    let name = model::names::AccessKeyName::parse("client").expect("a name");
    let found = database::access::access_keys::find(&house.app().house().db, &owner, &name).await.expect("asked");
    let key = found.expect("there").0;
    (key.id, key.spent_downloads)
}

/// Returns the number of spent downloads of the key.
async fn spent(house: &TestHouse) -> i64 {
    key(house).await.1
}

/// Content of a hundred bytes that no file refers to.
const CONTENT: PaidContent = PaidContent { blob_id: BlobId::new(1), size: 100 };

/// Reserves all bytes of the content, and sends forty of them or none.
async fn break_off(house: &TestHouse, sent: i64) {
    let (inside, key_id) = (house.app().house(), key(house).await.0);
    let now = inside.clock.now();
    let taken = inside.db.write(|tx| transfers::take(tx, key_id, CONTENT, CONTENT.size, now).scope_boxed()).await;
    assert!(taken.expect("written"), "one is left");
    inside.counter.give_back(key_id, CONTENT, CONTENT.size - sent);
}

/// Returns the number of counted bytes that the key may still download.
async fn left(house: &TestHouse) -> i64 {
    let (inside, key_id) = (house.app().house(), key(house).await.0);
    transfers::find(&inside.db, key_id, CONTENT).await.expect("asked").left()
}

/// Returns whether the counts could be flushed.
async fn is_written(house: &TestHouse) -> bool {
    let mut is_written = true;
    for inside in house.apps().map(server::App::house) {
        is_written &= inside.counter.flush(inside).await.is_ok();
    }
    is_written
}

async fn start() -> (TestHouse, Option<suite::Relay>, Person) {
    let (house, relay) = TestHouse::start_behind_relay().await;
    let (_ada, client) = vault_in(&house, json!({"max_downloads": 1})).await;
    (house, relay, client)
}

#[tokio::test]
async fn bytes_that_were_not_sent_are_given_back_once() {
    let (house, _relay, client) = start().await;
    break_off(&house, 40).await;
    assert_eq!((spent(&house).await, left(&house).await), (1, 0));
    assert!(is_written(&house).await && is_written(&house).await);
    assert_eq!((spent(&house).await, left(&house).await), (1, 60));
    client.download(FILE).await.refuses(403, USED_UP);
}

#[tokio::test]
async fn a_download_of_which_nothing_was_sent_is_given_back_whole() {
    let (house, _relay, client) = start().await;
    break_off(&house, 0).await;
    assert_eq!(spent(&house).await, 1);
    assert!(is_written(&house).await && is_written(&house).await);
    assert_eq!((spent(&house).await, left(&house).await), (0, 0));
    // The next download need not wait for the flush.
    break_off(&house, 0).await;
    client.download(FILE).await.expect(200);
    client.download(FILE).await.refuses(403, USED_UP);
}

#[tokio::test]
async fn what_may_have_been_given_back_is_not_given_back_again() {
    let (house, relay, client) = start().await;
    break_off(&house, 0).await;
    // The database commits, but the response is lost. An embedded database always answers.
    relay.iter().for_each(suite::Relay::lose_next_commit);
    assert_eq!(is_written(&house).await, relay.is_none());
    assert_eq!(spent(&house).await, 0);
    assert!(is_written(&house).await);
    assert_eq!(spent(&house).await, 0);
    client.download(FILE).await.expect(200);
    client.download(FILE).await.refuses(403, USED_UP);
}

#[tokio::test]
async fn what_may_have_gone_to_the_next_download_is_not_given_back_again() {
    let (house, relay, client) = start().await;
    break_off(&house, 0).await;
    relay.iter().for_each(suite::Relay::lose_next_commit);
    let status = client.download(FILE).await.status;
    assert_eq!(status, if relay.is_some() { 503 } else { 200 });
    assert!(is_written(&house).await);
    assert_eq!(spent(&house).await, 1);
    // If it is unknown whether the download was reserved, the file that was not sent stays counted.
    client.download("/ada/vault/cat.bin.sha1").await.expect(200);
}

#[tokio::test]
async fn what_could_not_be_given_back_is_given_back_later() {
    let (house, mut relay, _client) = start().await;
    break_off(&house, 0).await;
    if let Some(relay) = &mut relay {
        relay.cut().await;
        assert!(!is_written(&house).await);
        relay.restore();
    }
    assert!(is_written(&house).await);
    assert_eq!(spent(&house).await, 0);
}
