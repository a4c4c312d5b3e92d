//! An upload between its last byte and its commit.

use std::ops::Deref;

use crate::{error::Error, folder::FolderStaged, hashes::Sums, s3::S3Staged};

/// How a body is taken in.
#[derive(Clone, Copy, Debug)]
pub struct StageOptions {
    /// The longest body that is accepted.
    pub max_bytes: u64,
    /// Whether the MD5 is computed as well; it halves the speed.
    pub md5: bool,
    /// Whether the SHA-512 is computed as well; it halves the speed.
    pub sha512: bool,
}

/// A body that was received whole and hashed, but is not stored yet; reads as its [`Sums`].
///
/// Dropping it removes what was written.
#[derive(Debug)]
#[must_use = "a body is stored only by `commit`"]
pub struct Staged {
    pub(crate) sums: Sums,
    pub(crate) place: Place,
}

/// Where the body waits.
#[derive(Debug)]
pub(crate) enum Place {
    Folder(FolderStaged),
    S3(S3Staged),
}

impl Staged {
    /// Whether the store has a blob of this name and size already. Whether it is durable, only a commit knows.
    pub async fn is_stored(&self) -> Result<bool, Error> {
        let size = match &self.place {
            Place::Folder(staged) => staged.stored_size(self.sums.sha256)?,
            Place::S3(staged) => staged.stored_size(self.sums.sha256).await?,
        };
        Ok(size == Some(self.sums.size))
    }

    /// Stores the body under its SHA-256, durably, and returns its checksums.
    ///
    /// That the blob is there already is a success. When it fails, or its future is dropped, the blob is there
    /// whole or not at all.
    pub async fn commit(self) -> Result<Sums, Error> {
        match self.place {
            Place::Folder(staged) => staged.commit(self.sums).await?,
            Place::S3(staged) => staged.commit(self.sums).await?,
        }
        Ok(self.sums)
    }
}

impl Deref for Staged {
    type Target = Sums;

    fn deref(&self) -> &Sums {
        &self.sums
    }
}
