//! Stores objects that are larger than what the server copies in one request.

mod process;

use std::path::Path;

use blobs::{Blobs, CopyLimits, Error, Location, PendingBlob, ReceiveOptions, S3Key, S3Settings, SecretKey};
use bytes::Bytes;
use futures_util::{TryStreamExt, stream};

/// The least that the protocol allows for a part that is not the last.
const PART_BYTES: u64 = 5 << 20;

/// Four parts, the last of which is short.
const SIZE: usize = (15 << 20) + 77;

#[tokio::test]
async fn an_object_above_the_limit_of_a_copy_is_copied_in_parts() {
    let root = tempfile::tempdir().unwrap();
    let (_server, address) = start(root.path());
    let blobs = open(&address, CopyLimits { single_bytes: PART_BYTES, part_bytes: PART_BYTES }).await;

    let whole = pattern(1);
    let stored = receive(&blobs, &whole).await.commit().await.unwrap();
    assert_eq!(stored.size, SIZE as u64);
    assert!(read(&blobs, stored.sha256).await == whole);

    let pieces = pattern(2);
    let stored = in_pieces(&blobs, &pieces).await.commit().await.unwrap();
    assert!(read(&blobs, stored.sha256).await == pieces);

    blobs.wait_for_cleanups().await;
    assert_eq!(files_below(&root.path().join("bucket")), 2, "only the two blobs are left");
}

#[tokio::test]
async fn the_server_refuses_a_larger_copy_in_one_request() {
    let root = tempfile::tempdir().unwrap();
    let (_server, address) = start(root.path());
    let blobs = open(&address, CopyLimits::default()).await;
    let refused = receive(&blobs, &pattern(3)).await.commit().await.unwrap_err();
    assert!(matches!(refused, Error::Broken { .. }), "{refused}");
    // Nor does it copy a part that is too large.
    let blobs = open(&address, CopyLimits { single_bytes: 0, part_bytes: PART_BYTES + 1 }).await;
    let refused = receive(&blobs, &pattern(3)).await.commit().await.unwrap_err();
    assert!(matches!(refused, Error::Broken { .. }), "{refused}");
    blobs.wait_for_cleanups().await;
}

/// Starts a server that copies at most [`PART_BYTES`] in one request.
fn start(root: &Path) -> (process::Server, String) {
    std::fs::create_dir(root.join("bucket")).expect("writable");
    process::start(root, &["--max-copy-bytes", &PART_BYTES.to_string()])
}

async fn open(address: &str, copy_limits: CopyLimits) -> Blobs {
    let settings = S3Settings {
        bucket: "bucket".to_owned(),
        prefix: "a house".to_owned(),
        endpoint: Some(format!("http://{address}")),
        region: "us-east-1".to_owned(),
        key: Some(S3Key { id: "access".to_owned(), secret: SecretKey::new("secret") }),
        allow_http: true,
        copy_limits,
    };
    Blobs::open(Location::S3(settings), 1).await.expect("the store opens")
}

async fn receive(blobs: &Blobs, bytes: &Bytes) -> PendingBlob {
    blobs.receive(body(bytes.clone()), ReceiveOptions::PLAIN).await.expect("it is received")
}

/// Sends the bytes in three pieces, as a client of container images may.
async fn in_pieces(blobs: &Blobs, bytes: &Bytes) -> PendingBlob {
    let mut upload = blobs.begin_partial();
    for piece in [bytes.slice(..9 << 20), bytes.slice(9 << 20..10 << 20), bytes.slice(10 << 20..)] {
        let appended = blobs.append_partial(&upload, body(piece), u64::MAX).await.expect("it is added");
        blobs.discard_partial(&upload, Some(&appended)).await.expect("the store answers");
        upload = appended;
    }
    let pending = blobs.finish_partial(&upload).await.expect("the store answers");
    blobs.discard_partial(&upload, None).await.expect("the store answers");
    pending
}

async fn read(blobs: &Blobs, digest: model::digest::Digest) -> Bytes {
    let content = blobs.read(digest, None).await.expect("the store answers").expect("the blob is there");
    content.stream.try_collect::<Vec<Bytes>>().await.expect("the store answers").concat().into()
}

fn body(bytes: Bytes) -> impl futures_util::Stream<Item = std::io::Result<Bytes>> + Send {
    stream::iter([Ok(bytes)])
}

/// Bytes that differ in every part.
fn pattern(seed: u8) -> Bytes {
    (0..SIZE).map(|place| (place / 251 + place).to_le_bytes()[0] ^ seed).collect()
}

fn files_below(folder: &Path) -> usize {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries.map(|path| if path.is_dir() { files_below(&path) } else { 1 }).sum()
}
