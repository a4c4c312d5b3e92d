//! An upload between its last byte and its commit.

use std::{ops::Deref, sync::OnceLock};

use bytes::Bytes;
use model::digest::Digest;

use crate::{
    error::Error,
    folder::FolderPending,
    hashes::{self, Checksums},
    s3::S3Pending,
    stamp::Stamp,
};

/// Options for receiving a body.
#[derive(Clone, Copy, Debug)]
pub struct ReceiveOptions {
    /// Maximum size of the body in bytes.
    pub max_bytes: u64,
    /// Whether the SHA-1 is computed as well.
    pub sha1: bool,
    /// Whether the MD5 is computed as well; it halves the speed.
    pub md5: bool,
    /// Whether the SHA-512 is computed as well; it halves the speed.
    pub sha512: bool,
}

impl ReceiveOptions {
    /// For a body of any size, of which only the SHA-256 is needed.
    pub const SHA256: Self = Self { max_bytes: u64::MAX, sha1: false, md5: false, sha512: false };

    /// For a body of any size, without the slow checksums.
    pub const PLAIN: Self = Self { sha1: true, ..Self::SHA256 };
}

/// A body that was received completely and hashed, but is not stored yet; dereferences to its [`Checksums`].
///
/// Dropping it removes the received bytes.
#[derive(Debug)]
#[must_use = "a body is stored only by `commit`"]
pub struct PendingBlob {
    digest: Digest,
    size: u64,
    sums: OnceLock<Checksums>,
    /// The bytes to compute the checksums from, on demand.
    body: Bytes,
    options: ReceiveOptions,
    place: PendingLocation,
}

/// The location of the received body.
#[derive(Debug)]
pub(crate) enum PendingLocation {
    Folder(FolderPending),
    S3(S3Pending),
}

impl PendingBlob {
    /// Creates it from a body with known checksums.
    pub(crate) fn hashed(sums: Checksums, options: ReceiveOptions, place: PendingLocation) -> Self {
        Self { digest: sums.sha256, size: sums.size, sums: sums.into(), body: Bytes::new(), options, place }
    }

    /// Creates it from a small body. Its other checksums are computed on demand: content that the store already has
    /// needs none.
    pub(crate) fn small(body: Bytes, options: ReceiveOptions, place: PendingLocation) -> Self {
        Self { digest: hashes::sha256(&body), size: body.len() as u64, sums: OnceLock::new(), body, options, place }
    }

    /// The SHA-256.
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// Returns the stamp of the blob with this digest and size, if the store has one already. Only a commit makes sure
    /// that it is durable, and only reading it that its bytes are right.
    pub async fn stored(&self) -> Result<Option<Stamp>, Error> {
        let found = match &self.place {
            PendingLocation::Folder(pending) => pending.stored(self.digest)?,
            PendingLocation::S3(pending) => pending.stored(self.digest).await?,
        };
        Ok(found.filter(|(size, _)| *size == self.size).map(|(_, stamp)| stamp))
    }

    /// Syncs the received bytes ahead of the commit, so that the caller can do something else meanwhile.
    pub async fn sync(&mut self) -> Result<(), Error> {
        match &mut self.place {
            PendingLocation::Folder(pending) => pending.sync().await,
            // A part that a bucket has taken is durable.
            PendingLocation::S3(_) => Ok(()),
        }
    }

    /// Stores the body under its SHA-256, durably, and returns its checksums.
    ///
    /// Replaces an existing blob, so that its bytes are right afterwards even if they were damaged. If this fails, or
    /// its future is dropped, the blob is either complete or unchanged.
    pub async fn commit(self) -> Result<Checksums, Error> {
        self.commit_stamped().await.map(|(sums, _)| sums)
    }

    /// The same, and also returns the new stamp of the blob.
    pub async fn commit_stamped(self) -> Result<(Checksums, Stamp), Error> {
        let sums = *self;
        let stamp = match self.place {
            PendingLocation::Folder(pending) => pending.commit(sums).await?,
            PendingLocation::S3(pending) => pending.commit(sums).await?,
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
