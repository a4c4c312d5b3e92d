//! Facts that a store knows about its blobs without reading them.

use std::time::SystemTime;

use model::digest::Digest;

/// A blob as a store lists it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredBlob {
    /// Its digest, taken from its name: the bytes may differ.
    pub digest: Digest,
    /// Its size in bytes.
    pub size: u64,
    /// The time of its last write, by the store's clock.
    pub modified: SystemTime,
}
