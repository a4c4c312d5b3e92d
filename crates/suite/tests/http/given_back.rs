//! A download that a key with a limit did not finish is given back to it, and once.

use serde_json::json;
use suite::TestHouse;

use crate::{
    access_key_downloads::USED_UP,
    access_key_use::{FILE, vault, vault_in},
};

/// How many downloads of the key are taken, as the database has it.
pub(crate) async fn spent(house: &TestHouse) -> i64 {
    let owner = model::names::SubjectName::parse("ada").expect("a name");
    let name = model::names::AccessKeyName::parse("client").expect("a name");
    let found = database::access_keys::find(&house.app().house().db, &owner, &name).await.expect("asked");
    found.expect("there").0.spent_downloads
}

/// Whether what was noted could be written down.
async fn is_written(house: &TestHouse) -> bool {
    let mut is_written = true;
    for inside in house.apps().map(server::App::house) {
        is_written &= inside.counter.write_down(inside).await.is_ok();
    }
    is_written
}

#[tokio::test]
async fn a_range_that_stops_short_of_the_end_is_given_back_once() {
    let (house, _ada, client) = vault(&[], json!({"max_downloads": 2})).await;
    for range in ["bytes=0-1", "bytes=0-0,2-2"] {
        client.download(FILE).header("range", range).await.expect(206);
        // Taken before the first byte, and noted in memory when it is known to be a part.
        assert_eq!(spent(&house).await, 1);
        assert!(is_written(&house).await && is_written(&house).await);
        assert_eq!(spent(&house).await, 0);
    }
    client.download(FILE).header("range", "bytes=0-0,3-3").await.expect(206);
    client.download(FILE).header("range", "bytes=1-").await.expect(206);
    assert!(is_written(&house).await);
    assert_eq!(spent(&house).await, 2);
    client.download(FILE).header("range", "bytes=0-1").await.refuses(403, USED_UP);
}

#[tokio::test]
async fn what_may_have_been_given_back_is_not_given_back_again() {
    let (house, relay) = TestHouse::start_behind_relay().await;
    let (_ada, client) = vault_in(&house, json!({"max_downloads": 1})).await;
    client.download(FILE).header("range", "bytes=0-1").await.expect(206);
    // The database does it, and nobody hears so. An embedded one always answers.
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
    let (house, relay) = TestHouse::start_behind_relay().await;
    let (_ada, client) = vault_in(&house, json!({"max_downloads": 1})).await;
    client.download(FILE).header("range", "bytes=0-1").await.expect(206);
    relay.iter().for_each(suite::Relay::lose_next_commit);
    let status = client.download(FILE).await.status;
    assert_eq!(status, if relay.is_some() { 503 } else { 200 });
    assert!(is_written(&house).await);
    assert_eq!(spent(&house).await, 1);
    client.download(FILE).await.refuses(403, USED_UP);
}

#[tokio::test]
async fn what_could_not_be_given_back_is_given_back_later() {
    let (house, mut relay) = TestHouse::start_behind_relay().await;
    let (_ada, client) = vault_in(&house, json!({"max_downloads": 1})).await;
    client.download(FILE).header("range", "bytes=0-1").await.expect(206);
    if let Some(relay) = &mut relay {
        relay.cut().await;
        assert!(!is_written(&house).await);
        relay.restore();
    }
    assert!(is_written(&house).await);
    assert_eq!(spent(&house).await, 0);
}
