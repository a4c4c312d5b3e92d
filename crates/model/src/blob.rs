//! Blobs: the content of files.

use crate::{digest::Digest, id::BlobId, timestamp::Timestamp};

/// Content that a file has, or had a moment ago.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blob {
    /// Its database id.
    pub id: BlobId,
    /// Its SHA-256.
    pub sha256: Digest,
    /// Its SHA-1, in hexadecimal digits, if it has been computed.
    pub sha1: Option<String>,
    /// Its MD5, if it has been computed.
    pub md5: Option<String>,
    /// Its SHA-512, if it has been computed.
    pub sha512: Option<String>,
    /// Its size in bytes.
    pub size: i64,
    /// Whether its stored bytes are damaged or missing: it is withheld from everyone.
    pub is_damaged: bool,
    /// The last check of its stored bytes.
    pub check: Option<Check>,
}

/// A check that found the stored bytes to be correct, with the store's stamp at that time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Check {
    /// When the bytes were checked.
    pub at: Timestamp,
    /// The store's stamp.
    pub stamp: i64,
}

/// An amount of content.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BlobTotals {
    /// The number of blobs.
    pub blobs: i64,
    /// The number of bytes.
    pub bytes: i64,
}

impl std::ops::Add for BlobTotals {
    type Output = BlobTotals;

    fn add(self, more: BlobTotals) -> BlobTotals {
        BlobTotals { blobs: self.blobs + more.blobs, bytes: self.bytes + more.bytes }
    }
}

/// Damaged content, which is withheld.
#[derive(Debug, Clone)]
pub struct Damaged {
    /// The content.
    pub blob: Blob,
    /// When the damage was found.
    pub since: Timestamp,
    /// A description of the damage.
    pub reason: String,
}
