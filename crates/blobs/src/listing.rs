//! What a store says of its blobs without reading them.

use std::time::SystemTime;

use model::digest::Digest;

/// A blob as a store lists it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredBlob {
    /// Its digest, by its name: the bytes may be others.
    pub digest: Digest,
    /// Its size in bytes.
    pub size: u64,
    /// When it was written, by the store's clock.
    pub modified: SystemTime,
}
