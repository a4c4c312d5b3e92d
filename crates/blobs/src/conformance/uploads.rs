//! Storing: round trips, repetition, and the leftovers of failed uploads.

use futures_util::{StreamExt, future, stream};
use model::digest::hex;
use tokio::sync::oneshot;

use super::{
    bodies::{OPTIONS, broken_pattern, pattern, pattern_bytes, pending},
    store::TestStore,
};
use crate::{Error, ReceiveOptions};

const MIB: usize = 1 << 20;

/// Stores a body, compares its digests with the output of Python's hashlib, and compares its bytes with the body.
async fn assert_round_trip(size: usize, sha256: &str, sha1: &str) {
    let store = TestStore::open(&format!("round_trip_{size}")).await;
    let pending = pending(&store, size).await;
    assert_eq!(pending.size, size as u64);
    assert_eq!((pending.md5, pending.sha512), (None, None), "the slow ones were not asked for");
    assert_eq!(store.size(pending.sha256).await.unwrap(), None, "nothing is visible before the commit");
    let sums = pending.commit().await.unwrap();
    assert_eq!((sums.sha256.to_string().as_str(), hex(&sums.sha1.unwrap()).as_str()), (sha256, sha1));
    assert_eq!(store.size(sums.sha256).await.unwrap(), Some(size as u64));
    assert_eq!(store.read(sums.sha256, None).await.unwrap().unwrap().size, size as u64);
    let bytes = store.get(sums.sha256, None).await.unwrap();
    assert!(bytes == pattern_bytes(size), "the bytes differ");
    assert_eq!(store.count_leftovers().await, 0);
}

#[tokio::test]
async fn an_empty_body_comes_back() {
    let sha256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    assert_round_trip(0, sha256, "da39a3ee5e6b4b0d3255bfef95601890afd80709").await;
}

#[tokio::test]
async fn a_body_of_one_byte_comes_back() {
    let sha256 = "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d";
    assert_round_trip(1, sha256, "5ba93c9db0cff93f52b521d7420e43f6eda2784f").await;
}

#[tokio::test]
async fn a_body_of_4_kib_comes_back() {
    let sha256 = "d67c656e01756650d77717b0839985a056ec28ffe174601d690fc407a2ceffca";
    assert_round_trip(4096, sha256, "92ca8f2b4163e64a1b53e0fde263ad56cbdb75fc").await;
}

#[tokio::test]
async fn a_body_of_9_mib_comes_back() {
    let sha256 = "5a9ed69fb98cb8ce976ff50dd58c64f3ad76ea56e5591551ad232a0c499d937d";
    assert_round_trip(9 * MIB, sha256, "017e65c13d1dcebcab92f45f613069214c73f17b").await;
}

#[tokio::test]
async fn a_body_of_70_mib_comes_back() {
    let sha256 = "24f1c89f87a1ed78b333d3560219a9faa42c74da56497d5eb9275dbcb0eed34a";
    assert_round_trip(70 * MIB, sha256, "08e518a0e0a6b7018cb95c4470a0295ed82e2456").await;
}

#[tokio::test]
async fn slow_checksums_come_when_asked_for() {
    let store = TestStore::open("slow_checksums").await;
    let options = ReceiveOptions { md5: true, sha512: true, ..OPTIONS };
    let pending = store.receive(pattern(9 * MIB), options).await.unwrap();
    assert_eq!(hex(&pending.md5.unwrap()), "0aa0ffd067f85965934ed63cc8660850");
    assert_eq!(hex(&pending.sha512.unwrap()[..16]), "d9345f924752381378da44c80d55a44d");
    assert_eq!(hex(&pending.sha512.unwrap()[48..]), "b2e6a484429ba7f16794f3fe145eef9a");
}

#[tokio::test]
async fn bodies_that_end_where_pieces_end_come_back() {
    let store = TestStore::open("boundaries").await;
    for size in [16 << 10, 512 << 10, 8 * MIB, 16 * MIB] {
        let sums = pending(&store, size).await.commit().await.unwrap();
        assert!(store.get(sums.sha256, None).await.unwrap() == pattern_bytes(size), "{size} bytes differ");
    }
}

#[tokio::test]
async fn storing_the_same_content_again_succeeds() {
    let store = TestStore::open("again").await;
    let first = pending(&store, 9 * MIB).await;
    let second = pending(&store, 9 * MIB).await;
    assert_eq!(first.commit().await.unwrap(), second.commit().await.unwrap());
    assert_eq!(store.put("small").await, store.put("small").await);
    assert_eq!(store.count_leftovers().await, 0);
}

#[tokio::test]
async fn two_uploads_of_the_same_content_may_cross() {
    let store = TestStore::open("crossing").await;
    let upload = async || pending(&store, 3 * MIB).await.commit().await.unwrap();
    let (first, second) = future::join(upload(), upload()).await;
    assert_eq!(first, second);
    assert!(store.get(first.sha256, None).await.unwrap() == pattern_bytes(3 * MIB), "the bytes differ");
    assert_eq!(store.count_leftovers().await, 0);
}

#[tokio::test]
async fn a_body_may_be_exactly_as_large_as_allowed() {
    let store = TestStore::open("exactly").await;
    let options = ReceiveOptions { max_bytes: 9 * MIB as u64, ..OPTIONS };
    store.receive(pattern(9 * MIB), options).await.unwrap().commit().await.unwrap();
    let error = store.receive(pattern(9 * MIB + 1), options).await.unwrap_err();
    assert!(matches!(error, Error::TooLarge { max_bytes } if max_bytes == options.max_bytes), "{error}");
    assert_eq!(store.count_leftovers().await, 0);
}

#[tokio::test]
async fn a_body_that_is_too_large_leaves_nothing() {
    let store = TestStore::open("too_large").await;
    let options = ReceiveOptions { max_bytes: 17 * MIB as u64, ..OPTIONS };
    let error = store.receive(pattern(70 * MIB), options).await.unwrap_err();
    assert!(matches!(error, Error::TooLarge { .. }), "{error}");
    assert_eq!(store.count_leftovers().await, 0);
}

#[tokio::test]
async fn a_body_that_breaks_off_leaves_nothing() {
    let store = TestStore::open("broken_off").await;
    let small = store.receive(broken_pattern(4096), OPTIONS).await.unwrap_err();
    assert!(matches!(small, Error::Body(_)), "{small}");
    let large = store.receive(broken_pattern(20 * MIB), OPTIONS).await.unwrap_err();
    assert!(matches!(large, Error::Body(_)), "{large}");
    assert_eq!(store.count_leftovers().await, 0);
}

#[tokio::test]
async fn an_upload_that_is_given_up_leaves_nothing() {
    let store = TestStore::open("given_up").await;
    let (stuck, is_stuck) = oneshot::channel();
    let silence = stream::once(async {
        stuck.send(()).expect("the test waits");
        future::pending().await
    });
    let upload = store.receive(pattern(20 * MIB).chain(silence), OPTIONS);
    tokio::select! {
        _ = upload => unreachable!("the body does not end"),
        _ = is_stuck => {}
    }
    assert_eq!(store.count_leftovers().await, 0);
}

#[tokio::test]
async fn a_received_body_that_is_dropped_leaves_nothing() {
    let store = TestStore::open("dropped").await;
    let digest = pending(&store, 9 * MIB).await.sha256;
    assert_eq!(store.count_leftovers().await, 0);
    assert_eq!(store.size(digest).await.unwrap(), None);
}
