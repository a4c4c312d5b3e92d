//! Lists all blobs of a store, and compares the list with their bytes.

use std::time::{Duration, SystemTime};

use futures_util::TryStreamExt;
use model::digest::Digest;

use super::{
    bodies::{OPTIONS, pattern, pending},
    store::TestStore,
};
use crate::StoredBlob;

async fn listed(store: &TestStore) -> Vec<(Digest, u64)> {
    let mut found: Vec<StoredBlob> = store.list().try_collect().await.expect("the store is listed");
    found.sort_by_key(|stored| stored.size);
    found.iter().map(|stored| (stored.digest, stored.size)).collect()
}

#[tokio::test]
async fn the_list_has_every_blob_and_no_temporary() {
    let store = TestStore::open("list").await;
    assert_eq!(listed(&store).await, []);
    let (small, middle) = (store.put("one").await, store.put("twice").await);
    let large = pending(&store, 9 << 20).await.commit().await.unwrap().sha256;
    let waiting = pending(&store, 10 << 20).await;
    assert_eq!(listed(&store).await, [(small, 3), (middle, 5), (large, 9 << 20)]);
    drop(waiting);
    store.delete(middle).await.unwrap();
    assert_eq!(listed(&store).await, [(small, 3), (large, 9 << 20)]);
}

#[tokio::test]
async fn many_blobs_are_listed_once_each() {
    let store = TestStore::open("list_many").await;
    let mut stored = Vec::new();
    for size in 1..=60 {
        stored.push((store.put(vec![b'x'; size]).await, size as u64));
    }
    assert_eq!(listed(&store).await, stored);
}

#[tokio::test]
async fn a_listed_blob_is_dated() {
    let store = TestStore::open("list_dated").await;
    store.put("dated").await;
    let found: Vec<StoredBlob> = store.list().try_collect().await.unwrap();
    let in_2024 = SystemTime::UNIX_EPOCH + Duration::from_secs(1_704_067_200);
    assert!(found[0].modified > in_2024, "{found:?}");
}

#[tokio::test]
async fn the_sums_of_a_blob_are_those_of_its_upload() {
    let store = TestStore::open("sums").await;
    let uploaded = store.receive(pattern(3 << 20), OPTIONS).await.unwrap().commit().await.unwrap();
    assert_eq!(store.sums(uploaded.sha256).await.unwrap(), Some(uploaded));
    assert_eq!(store.sums(Digest::from_bytes([7; 32])).await.unwrap(), None);
}
