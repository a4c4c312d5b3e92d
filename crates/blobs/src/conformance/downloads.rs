//! Reading: ranges, missing blobs, mappings, direct URLs.

use std::time::Duration;

use model::digest::Digest;

use super::{
    bodies::{pattern_bytes, pending},
    store::TestStore,
};
use crate::Error;

const MIB: usize = 1 << 20;

#[tokio::test]
async fn a_part_of_a_small_blob_is_read() {
    let store = TestStore::open("part_small").await;
    let digest = store.put("0123456789").await;
    assert_eq!(store.get(digest, Some(0..10)).await.unwrap(), b"0123456789");
    assert_eq!(store.get(digest, Some(3..5)).await.unwrap(), b"34");
    assert_eq!(store.get(digest, Some(9..10)).await.unwrap(), b"9");
    assert_eq!(store.get(digest, Some(4..4)).await.unwrap(), b"");
    let content = store.read(digest, Some(3..5)).await.unwrap().unwrap();
    assert_eq!(content.size, 10, "the size is the whole blob's");
}

#[tokio::test]
async fn a_part_of_a_large_blob_is_read() {
    let store = TestStore::open("part_large").await;
    let sums = pending(&store, 9 * MIB).await.commit().await.unwrap();
    let (start, end) = (MIB + 7, 8 * MIB + 11);
    let part = store.get(sums.sha256, Some(start as u64..end as u64)).await.unwrap();
    assert!(part == pattern_bytes(9 * MIB)[start..end], "the part differs");
}

#[tokio::test]
async fn a_part_beyond_the_end_is_an_error() {
    let store = TestStore::open("part_beyond").await;
    let digest = store.put("0123456789").await;
    let overlapping = store.read(digest, Some(5..11)).await.unwrap_err();
    assert!(matches!(overlapping, Error::Range { start: 5, end: 11, size: 10, .. }), "{overlapping}");
    let beyond = store.read(digest, Some(10..12)).await.unwrap_err();
    assert!(matches!(beyond, Error::Range { start: 10, end: 12, size: 10, .. }), "{beyond}");
    let empty_beyond = store.read(digest, Some(11..11)).await.unwrap_err();
    assert!(matches!(empty_beyond, Error::Range { .. }), "{empty_beyond}");
}

#[tokio::test]
async fn a_missing_blob_is_none() {
    let store = TestStore::open("missing").await;
    let digest = Digest::from_bytes([7; 32]);
    assert_eq!(store.size(digest).await.unwrap(), None);
    assert!(store.read(digest, None).await.unwrap().is_none());
    assert!(store.read(digest, Some(0..1)).await.unwrap().is_none());
    assert!(store.read(digest, Some(0..0)).await.unwrap().is_none());
    assert!(!store.delete(digest).await.unwrap());
}

#[tokio::test]
async fn a_folder_maps_large_blobs_and_reads_small_ones() {
    let store = TestStore::open("map").await;
    for (size, is_mapping) in [(0, false), (1, false), (64 << 10, false), ((64 << 10) + 1, true), (9 * MIB, true)] {
        let digest = pending(&store, size).await.commit().await.unwrap().sha256;
        let mapped = store.map(digest).await.unwrap();
        assert_eq!(mapped.is_some(), store.folder_path(digest).is_some(), "an object store maps nothing");
        let Some(mapped) = mapped else { return };
        assert_eq!((mapped.size(), mapped.is_mapping()), (size as u64, is_mapping));
        store.delete(digest).await.unwrap();
        assert!(mapped.bytes(0..size as u64).unwrap() == pattern_bytes(size), "the bytes of {size} differ");
    }
}

#[tokio::test]
async fn a_folder_opens_the_file_of_a_blob() {
    let store = TestStore::open("open_file").await;
    let digest = store.put("0123456789").await;
    let mut bytes = String::new();
    if let Some(mut file) = store.open_file(digest).await.unwrap() {
        std::io::Read::read_to_string(&mut file, &mut bytes).unwrap();
    }
    assert_eq!(bytes, if store.folder().is_some() { "0123456789" } else { "" });
    assert!(store.open_file(Digest::from_bytes([7; 32])).await.unwrap().is_none());
}

#[tokio::test]
async fn a_missing_blob_is_not_mapped() {
    let store = TestStore::open("map_missing").await;
    assert!(store.map(Digest::from_bytes([7; 32])).await.unwrap().is_none());
}

#[tokio::test]
async fn a_direct_url_serves_the_blob_to_anyone() {
    let store = TestStore::open("direct_url").await;
    let digest = store.put("fetched without keys").await;
    let url = store.direct_url(digest, Duration::from_secs(60)).await.unwrap();
    // A folder has a path and no URL, a bucket a URL and no path.
    assert_eq!(url.is_none(), store.folder_path(digest).is_some());
    let Some(url) = url else { return };
    let answer = reqwest::get(&url).await.unwrap();
    assert_eq!(answer.status(), 200);
    assert_eq!(answer.text().await.unwrap(), "fetched without keys");
    let longer = url.replace("X-Amz-Expires=60", "X-Amz-Expires=6000");
    assert_ne!(longer, url);
    assert_eq!(reqwest::get(longer).await.unwrap().status(), 403);
    let other = store.put("another blob").await;
    let other_name = url.replace(&digest.to_string(), &other.to_string());
    assert_eq!(reqwest::get(other_name).await.unwrap().status(), 403);
}
