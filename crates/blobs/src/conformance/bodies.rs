//! Bodies whose bytes repeat 0 to 250, so that other tools can compute their digests.

use std::io;

use bytes::Bytes;
use futures_util::{Stream, stream};

use crate::{Blobs, PendingBlob, ReceiveOptions};

/// Allows all bodies of the suite; computes the fast hashes only.
pub(super) const OPTIONS: ReceiveOptions = ReceiveOptions { max_bytes: 100 << 20, ..ReceiveOptions::PLAIN };

/// Chunks do not end at a boundary that a store might use.
const CHUNK_BYTES: usize = 60_001;

/// A body of this size.
pub(super) fn pattern(size: usize) -> impl Stream<Item = io::Result<Bytes>> + Send {
    let starts = (0..size).step_by(CHUNK_BYTES);
    stream::iter(starts.map(move |start| Ok(pattern_range(start, size.min(start + CHUNK_BYTES)).into())))
}

/// The bytes of a body of this size.
pub(super) fn pattern_bytes(size: usize) -> Vec<u8> {
    pattern_range(0, size)
}

/// Receives a body of this size without committing it.
pub(super) async fn pending(blobs: &Blobs, size: usize) -> PendingBlob {
    blobs.receive(pattern(size), OPTIONS).await.expect("the body is received")
}

/// A body that breaks off after this many bytes.
pub(super) fn broken_pattern(size: usize) -> impl Stream<Item = io::Result<Bytes>> + Send {
    let broken = stream::iter([Err(io::Error::from(io::ErrorKind::ConnectionReset))]);
    futures_util::StreamExt::chain(pattern(size), broken)
}

fn pattern_range(start: usize, end: usize) -> Vec<u8> {
    let cycle: Vec<u8> = (0..251).collect();
    let bytes = cycle.repeat((end - start) / cycle.len() + 2);
    let offset = start % cycle.len();
    bytes[offset..offset + end - start].to_vec()
}
