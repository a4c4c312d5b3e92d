//! An upload between its last byte and its commit.

use std::{ops::Deref, sync::OnceLock};

use bytes::Bytes;
use model::digest::Digest;

use crate::{
    error::Error,
    folder::FolderPending,
    hashes::{self, Checksums},
    s3::S3Staged,
    stamp::Stamp,
};

/// How a body is taken in.
#[derive(Clone, Copy, Debug)]
pub struct ReceiveOptions {
    /// The longest body that is accepted.
    pub max_bytes: u64,
    /// Whether the MD5 is computed as well; it halves the speed.
    pub md5: bool,
    /// Whether the SHA-512 is computed as well; it halves the speed.
    pub sha512: bool,
}

/// A body that was received whole and hashed, but is not stored yet; reads as its [`Checksums`].
///
/// Dropping it removes what was written.
#[derive(Debug)]
#[must_use = "a body is stored only by `commit`"]
pub struct PendingBlob {
    digest: Digest,
    size: u64,
    sums: OnceLock<Checksums>,
    /// What they are computed from when they are wanted.
    body: Bytes,
    options: ReceiveOptions,
    place: PendingLocation,
}

/// Where the body waits.
#[derive(Debug)]
pub(crate) enum PendingLocation {
    Folder(FolderPending),
    S3(S3Staged),
}

impl PendingBlob {
    /// A body whose checksums are known.
    pub(crate) fn hashed(sums: Checksums, options: ReceiveOptions, place: PendingLocation) -> Self {
        Self { digest: sums.sha256, size: sums.size, sums: sums.into(), body: Bytes::new(), options, place }
    }

    /// A small body, whose other checksums are computed when somebody wants to know them: for content that the store has,
    /// nobody does.
    pub(crate) fn small(body: Bytes, options: ReceiveOptions, place: PendingLocation) -> Self {
        Self { digest: hashes::digest(&body), size: body.len() as u64, sums: OnceLock::new(), body, options, place }
    }

    /// The SHA-256.
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// The stamp of the blob of this name and size that the store has already. Whether it is durable, only a commit
    /// knows; whether its bytes are right, only who reads them.
    pub async fn stored(&self) -> Result<Option<Stamp>, Error> {
        let found = match &self.place {
            PendingLocation::Folder(staged) => staged.stored(self.digest)?,
            PendingLocation::S3(staged) => staged.stored(self.digest).await?,
        };
        Ok(found.filter(|(size, _)| *size == self.size).map(|(_, stamp)| stamp))
    }

    /// Stores the body under its SHA-256, durably, and returns its checksums.
    ///
    /// A blob that is there already is replaced: whatever has become of its bytes, they are right afterwards. When it
    /// fails, or its future is dropped, the blob is there whole or as it was.
    pub async fn commit(self) -> Result<Checksums, Error> {
        self.commit_stamped().await.map(|(sums, _)| sums)
    }

    /// The same, with the stamp that the blob has now.
    pub async fn commit_stamped(self) -> Result<(Checksums, Stamp), Error> {
        let sums = *self;
        let stamp = match self.place {
            PendingLocation::Folder(staged) => staged.commit(sums).await?,
            PendingLocation::S3(staged) => staged.commit(sums).await?,
        };
        Ok((sums, stamp))
    }
}

impl Deref for PendingBlob {
    type Target = Checksums;

    fn deref(&self) -> &Checksums {
        self.sums.get_or_init(|| Checksums::complete(self.digest, &self.body, self.options))
    }
}
