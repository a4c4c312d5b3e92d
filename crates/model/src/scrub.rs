//! Scrubs, which read all content and compare it with its digests.

use crate::{blob::BlobTotals, id::BlobId, timestamp::Timestamp};

/// The current pass over all content, and the last finished one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scrub {
    /// When the pass started.
    pub started: Timestamp,
    /// The id of the last checked blob.
    pub reached: BlobId,
    /// The number of blobs and bytes checked so far.
    pub read: BlobTotals,
    /// The number of damaged blobs found.
    pub damaged: i64,
    /// The last finished pass.
    pub last: Option<Pass>,
}

/// A finished pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pass {
    /// When it started.
    pub started: Timestamp,
    /// When it ended.
    pub ended: Timestamp,
    /// The number of blobs and bytes checked.
    pub read: BlobTotals,
    /// The number of damaged blobs found.
    pub damaged: i64,
}
