//! An upload between its last byte and its commit.

use std::{ops::Deref, sync::OnceLock};

use bytes::Bytes;
use model::digest::Digest;

use crate::{
    error::Error,
    folder::FolderStaged,
    hashes::{self, Sums},
    s3::S3Staged,
};

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
    digest: Digest,
    size: u64,
    sums: OnceLock<Sums>,
    /// What they are computed from when they are wanted.
    body: Bytes,
    options: StageOptions,
    place: Place,
}

/// Where the body waits.
#[derive(Debug)]
pub(crate) enum Place {
    Folder(FolderStaged),
    S3(S3Staged),
}

impl Staged {
    /// A body whose checksums are known.
    pub(crate) fn hashed(sums: Sums, options: StageOptions, place: Place) -> Self {
        Self { digest: sums.sha256, size: sums.size, sums: sums.into(), body: Bytes::new(), options, place }
    }

    /// A small body, whose other checksums are computed when somebody wants to know them: for content that the store has,
    /// nobody does.
    pub(crate) fn small(body: Bytes, options: StageOptions, place: Place) -> Self {
        Self { digest: hashes::digest(&body), size: body.len() as u64, sums: OnceLock::new(), body, options, place }
    }

    /// The SHA-256.
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// Whether the store has a blob of this name and size already. Whether it is durable, only a commit knows.
    pub async fn is_stored(&self) -> Result<bool, Error> {
        let size = match &self.place {
            Place::Folder(staged) => staged.stored_size(self.digest)?,
            Place::S3(staged) => staged.stored_size(self.digest).await?,
        };
        Ok(size == Some(self.size))
    }

    /// Stores the body under its SHA-256, durably, and returns its checksums.
    ///
    /// That the blob is there already is a success. When it fails, or its future is dropped, the blob is there
    /// whole or not at all.
    pub async fn commit(self) -> Result<Sums, Error> {
        let sums = *self;
        match self.place {
            Place::Folder(staged) => staged.commit(sums).await?,
            Place::S3(staged) => staged.commit(sums).await?,
        }
        Ok(sums)
    }
}

impl Deref for Staged {
    type Target = Sums;

    fn deref(&self) -> &Sums {
        self.sums.get_or_init(|| Sums::complete(self.digest, &self.body, self.options))
    }
}
