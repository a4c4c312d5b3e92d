//! Uploads in pieces.

use bytes::Bytes;
use futures_util::{StreamExt, stream};

use super::{
    bodies::{broken_pattern, pattern_bytes},
    store::TestStore,
};
use crate::{Blobs, Error, PartialUpload};

const LIMIT: u64 = 100 << 20;

fn body(bytes: &[u8]) -> impl futures_util::Stream<Item = std::io::Result<Bytes>> + Send + use<> {
    let chunks: Vec<_> = bytes.chunks(60_001).map(|chunk| Ok(Bytes::copy_from_slice(chunk))).collect();
    stream::iter(chunks)
}

/// Adds a piece and removes what the record before it has left.
async fn append(blobs: &Blobs, upload: &PartialUpload, bytes: &[u8]) -> PartialUpload {
    let appended = blobs.append_partial(upload, body(bytes), LIMIT).await.expect("the piece is added");
    blobs.discard_partial(upload, Some(&appended)).await.expect("the old record is cleaned up");
    appended
}

#[tokio::test]
async fn pieces_of_any_size_become_one_blob() {
    let store = TestStore::open("pieces_of_any_size").await;
    for sizes in
        [vec![], vec![1], vec![0, 7, 0], vec![1; 40], vec![9 << 20, 3, 5 << 20, 8 << 20, 1], vec![8 << 20, 8 << 20]]
    {
        let whole = pattern_bytes(sizes.iter().sum());
        let (mut upload, mut start) = (store.begin_partial(), 0);
        for size in &sizes {
            upload = append(&store, &upload, &whole[start..start + size]).await;
            start += size;
            assert_eq!(upload.size, start as u64);
        }
        let expected = upload.digest().expect("the states are good");
        if whole.is_empty() {
            continue;
        }
        let pending = store.finish_partial(&upload).await.expect("the upload is finished");
        let sums = pending.commit().await.expect("the blob is committed");
        assert_eq!((sums.sha256, sums.size), (expected, whole.len() as u64), "{sizes:?}");
        store.discard_partial(&upload, None).await.expect("nothing is left");
        assert!(store.get(sums.sha256, None).await.expect("the blob is there") == whole, "{sizes:?}");
        let stored = store.sums(sums.sha256).await.expect("readable").expect("it is stored");
        assert_eq!((stored.sha256, stored.size, sums.sha1), (sums.sha256, sums.size, None));
    }
    assert_eq!(store.count_leftovers().await, 0);
}

#[tokio::test]
async fn another_process_continues_after_a_piece_that_broke_off() {
    let store = TestStore::open("another_process_continues").await;
    let whole = pattern_bytes(11 << 20);
    let upload = append(&store, &store.begin_partial(), &whole[..9 << 20]).await;
    let broken = store.append_partial(&upload, broken_pattern(10 << 20), LIMIT).await;
    assert!(matches!(broken, Err(Error::Body(_))), "{broken:?}");
    // Only what was recorded counts: the place, the size and the states.
    let other = Blobs::clone(&store);
    let upload = append(&other, &upload.clone(), &whole[9 << 20..]).await;
    let sums = other.finish_partial(&upload).await.expect("finished").commit().await.expect("committed");
    other.discard_partial(&upload, None).await.expect("nothing is left");
    assert!(store.get(sums.sha256, None).await.expect("the blob is there") == whole);
    assert_eq!(store.count_leftovers().await, 0);
}

#[tokio::test]
async fn a_request_that_may_still_write_does_not_change_what_the_next_one_stores() {
    let store = TestStore::open("a_request_that_may_still_write").await;
    let whole = pattern_bytes(3 << 20);
    let upload = append(&store, &store.begin_partial(), &whole[..1 << 20]).await;
    let (blobs, record) = (Blobs::clone(&store), upload.clone());
    let (stalls, is_stalled) = tokio::sync::oneshot::channel();
    let stall = stream::once(async {
        stalls.send(()).expect("the test waits");
        std::future::pending().await
    });
    let stalled = body(&vec![255; 2 << 20]).chain(stall).boxed();
    let stalled = tokio::spawn(async move { blobs.append_partial(&record, stalled, LIMIT).await });
    is_stalled.await.expect("the first batch is written");
    let next = || store.append_partial(&upload, body(&whole[1 << 20..]), LIMIT);
    let is_shut_out = |next: &Result<_, Error>| matches!(next, Err(Error::Unavailable { .. }));
    assert!(!store.has_files() || is_shut_out(&next().await));
    stalled.abort();
    let appended = loop {
        match next().await {
            shut_out if is_shut_out(&shut_out) => tokio::task::yield_now().await,
            appended => break appended.expect("the piece is added"),
        }
    };
    let pending = store.finish_partial(&appended).await.expect("the upload is finished");
    let sums = pending.commit().await.expect("the blob is committed");
    assert!(store.get(sums.sha256, None).await.expect("the blob is there") == whole);
}

#[tokio::test]
async fn a_discarded_upload_leaves_nothing() {
    let store = TestStore::open("a_discarded_upload").await;
    let upload = append(&store, &store.begin_partial(), &pattern_bytes(9 << 20)).await;
    store.discard_partial(&upload, None).await.expect("discarded");
    store.discard_partial(&upload, None).await.expect("twice does no harm");
    assert_eq!(store.count_leftovers().await, 0);
    assert!(store.append_partial(&upload, body(b"more"), LIMIT).await.is_err());
}

#[tokio::test]
async fn a_limit_is_that_of_all_pieces_together() {
    let store = TestStore::open("a_limit_of_all_pieces").await;
    let upload = append(&store, &store.begin_partial(), b"12345").await;
    let refused = store.append_partial(&upload, body(b"123456"), 10).await;
    assert!(matches!(refused, Err(Error::TooLarge { max_bytes: 10 })), "{refused:?}");
    let full = store.append_partial(&upload, body(b"12345").boxed(), 10).await.expect("it fits");
    assert_eq!(full.size, 10);
    store.discard_partial(&full, None).await.expect("discarded");
    store.discard_partial(&upload, None).await.expect("discarded");
    assert_eq!(store.count_leftovers().await, 0);
}

#[tokio::test]
async fn a_record_that_is_damaged_is_refused() {
    let store = TestStore::open("a_damaged_record").await;
    let upload = append(&store, &store.begin_partial(), b"12345").await;
    for bad in [
        PartialUpload { place: "../../x".to_owned(), ..upload.clone() },
        PartialUpload { place: String::new(), ..upload.clone() },
        PartialUpload { states: vec![1, 2, 3], ..upload.clone() },
    ] {
        assert!(store.append_partial(&bad, body(b"6"), LIMIT).await.is_err(), "{bad:?}");
    }
}
