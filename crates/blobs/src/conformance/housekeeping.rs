//! Deleting, sweeping, checking, and a store that is unavailable.

use std::time::{Duration, SystemTime};

use super::{bodies::pending, store::TestStore};
use crate::{Blobs, CopyLimits, Error, Location, S3Key, S3Settings, SecretKey};

#[tokio::test]
async fn a_deleted_blob_is_gone_and_can_come_back() {
    let store = TestStore::open("delete").await;
    let digest = store.put("come and go").await;
    assert!(store.delete(digest).await.unwrap());
    assert_eq!(store.size(digest).await.unwrap(), None);
    assert!(!store.delete(digest).await.unwrap());
    assert_eq!(store.put("come and go").await, digest);
    assert_eq!(store.get(digest, None).await.unwrap(), b"come and go");
}

#[tokio::test]
async fn the_sweep_takes_old_temporaries_only() {
    let store = TestStore::open("sweep").await;
    let digest = store.put("a blob stays").await;
    // A killed process drops nothing.
    std::mem::forget(pending(&store, 9 << 20).await);
    let hour = Duration::from_secs(3600);
    assert_eq!(store.sweep_temporaries(hour, SystemTime::UNIX_EPOCH).await.unwrap(), 0);
    let far_future = SystemTime::UNIX_EPOCH + Duration::from_secs(1 << 33);
    assert_eq!(store.sweep_temporaries(hour, far_future).await.unwrap(), 1);
    assert_eq!(store.sweep_temporaries(hour, far_future).await.unwrap(), 0);
    assert_eq!(store.get(digest, None).await.unwrap(), b"a blob stays");
}

#[tokio::test]
async fn a_working_store_passes_its_check() {
    let store = TestStore::open("check").await;
    store.check().await.unwrap();
    assert_eq!(store.count_leftovers().await, 0);
}

#[tokio::test]
async fn a_store_that_is_away_is_unavailable() {
    // Nothing listens on port 1.
    let blobs = Blobs::open(Location::S3(settings("http://127.0.0.1:1")), 1).await.unwrap();
    let digest = model::digest::Digest::from_bytes([7; 32]);
    let refused = blobs.size(digest).await.unwrap_err();
    assert!(matches!(refused, Error::Unavailable { .. }), "{refused}");
    let small = pending(&blobs, 4096).await.commit().await.unwrap_err();
    assert!(matches!(small, Error::Unavailable { .. }), "{small}");
}

#[tokio::test]
async fn a_bucket_without_a_key_opens_and_leaves_the_key_to_the_machine() {
    let keyless = S3Settings { key: None, ..settings("http://127.0.0.1:1") };
    assert!(Blobs::open(Location::S3(keyless), 1).await.is_ok());
}

fn settings(endpoint: &str) -> S3Settings {
    S3Settings {
        bucket: "house".to_owned(),
        prefix: String::new(),
        endpoint: Some(endpoint.to_owned()),
        region: "us-east-1".to_owned(),
        key: Some(S3Key { id: "id".to_owned(), secret: SecretKey::new("secret") }),
        allow_http: true,
        copy_limits: CopyLimits::default(),
    }
}
