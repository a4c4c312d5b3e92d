//! Detects that another writer has replaced a stored object.

use std::{fs::Metadata, os::unix::fs::MetadataExt};

use sha2::{Digest as _, Sha256};

/// A short hash of the facts that a store knows about an object without reading it: for a file its inode, size and
/// times, for an object of a bucket its tag. It changes if someone other than the server writes to the object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp(i64);

impl Stamp {
    /// Creates a stamp from its stored number.
    pub fn from_number(number: i64) -> Self {
        Self(number)
    }

    /// The number to store.
    pub fn number(self) -> i64 {
        self.0
    }

    pub(crate) fn of_file(metadata: &Metadata) -> Self {
        let facts = [
            metadata.ino().cast_signed(),
            metadata.len().cast_signed(),
            metadata.mtime(),
            metadata.mtime_nsec(),
            metadata.ctime(),
            metadata.ctime_nsec(),
        ];
        Self::of(facts.map(i64::to_le_bytes).as_flattened())
    }

    /// Creates the stamp of an object with this tag. If a store sends no tags, only sizes are compared.
    pub(crate) fn of_tag(tag: Option<&str>) -> Self {
        Self::of(tag.unwrap_or_default().as_bytes())
    }

    fn of(facts: &[u8]) -> Self {
        let sum: [u8; 32] = Sha256::digest(facts).into();
        let [a, b, c, d, e, f, g, h, ..] = sum;
        Self(i64::from_le_bytes([a, b, c, d, e, f, g, h]))
    }
}
