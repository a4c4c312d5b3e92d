//! The checksums of a body, computed in one pass.

use bytes::Bytes;
use futures_util::{TryStreamExt, stream::BoxStream};
use md5::Md5;
use model::digest::Digest;
use sha1::Sha1;
use sha2::{
    Digest as _, Sha256, Sha512,
    digest::common::hazmat::{SerializableState, SerializedState},
};

use crate::{error::Error, off_reactor, pending::ReceiveOptions};

/// Up to this size hashing (about 1.5 µs per KiB) costs the reactor less than a switch to another thread.
pub(crate) const INLINE_BYTES: usize = 16 << 10;

/// The size and the checksums of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checksums {
    /// The size in bytes.
    pub size: u64,
    /// The SHA-256, which names the stored content.
    pub sha256: Digest,
    /// The SHA-1.
    pub sha1: [u8; 20],
    /// The MD5, if requested.
    pub md5: Option<[u8; 16]>,
    /// The SHA-512, if requested.
    pub sha512: Option<[u8; 64]>,
}

impl Checksums {
    /// Computes the other checksums of a small body whose SHA-256 is known.
    pub(crate) fn complete(sha256: Digest, body: &[u8], options: ReceiveOptions) -> Self {
        Self {
            size: body.len() as u64,
            sha256,
            sha1: Sha1::digest(body).into(),
            md5: options.md5.then(|| Md5::digest(body).into()),
            sha512: options.sha512.then(|| Sha512::digest(body).into()),
        }
    }
}

/// Computes the SHA-256 of a small body.
pub(crate) fn digest(body: &[u8]) -> Digest {
    Digest::from_bytes(Sha256::digest(body).into())
}

/// Returns an error if the bytes do not match the digest of the blob.
pub(crate) fn check(expected: Digest, body: &[u8]) -> Result<(), Error> {
    match digest(body) {
        found if found == expected => Ok(()),
        found => Err(Error::Damaged { digest: expected, reason: format!("its SHA-256 is {found}") }),
    }
}

/// Computes the checksums of a whole blob, without the slow ones.
pub(crate) async fn of_stream(stream: BoxStream<'static, Result<Bytes, Error>>) -> Result<Checksums, Error> {
    Ok(Hashes::plain().and_stream(stream).await?.finish())
}

/// The running state of a body's checksums.
pub(crate) struct Hashes {
    size: u64,
    sha256: Sha256,
    sha1: Sha1,
    md5: Option<Md5>,
    sha512: Option<Sha512>,
}

impl Hashes {
    /// Creates a state without the slow checksums.
    pub(crate) fn plain() -> Self {
        Self::new(ReceiveOptions { max_bytes: u64::MAX, md5: false, sha512: false })
    }

    /// Adds all bytes of a stream.
    pub(crate) async fn and_stream(
        mut self,
        mut stream: BoxStream<'static, Result<Bytes, Error>>,
    ) -> Result<Self, Error> {
        while let Some(piece) = stream.try_next().await? {
            self = self.updated(piece).await?;
        }
        Ok(self)
    }

    pub(crate) fn new(options: ReceiveOptions) -> Self {
        Self {
            size: 0,
            sha256: Sha256::new(),
            sha1: Sha1::new(),
            md5: options.md5.then(Md5::new),
            sha512: options.sha512.then(Sha512::new),
        }
    }

    /// Adds the next piece.
    pub(crate) fn update(&mut self, piece: &[u8]) {
        self.size += piece.len() as u64;
        self.sha256.update(piece);
        self.sha1.update(piece);
        if let Some(md5) = &mut self.md5 {
            md5.update(piece);
        }
        if let Some(sha512) = &mut self.sha512 {
            sha512.update(piece);
        }
    }

    /// Adds the next piece on a blocking thread.
    pub(crate) async fn updated(mut self, piece: Bytes) -> Result<Self, Error> {
        if piece.len() <= INLINE_BYTES {
            self.update(&piece);
            return Ok(self);
        }
        off_reactor::run("hashing a body", move || {
            self.update(&piece);
            Ok(self)
        })
        .await
    }

    /// Returns the states of the SHA-256 and the SHA-1, to continue them later.
    pub(crate) fn states(&self) -> Vec<u8> {
        [&self.sha256.serialize()[..], &self.sha1.serialize()[..]].concat()
    }

    /// Continues from the states after this many bytes; `None` if they are not states.
    pub(crate) fn resume(size: u64, states: &[u8]) -> Option<Self> {
        let (sha256, sha1) = states.split_at_checked(SerializedState::<Sha256>::default().len())?;
        Some(Self {
            size,
            sha256: Sha256::deserialize(&SerializedState::<Sha256>::try_from(sha256).ok()?).ok()?,
            sha1: Sha1::deserialize(&SerializedState::<Sha1>::try_from(sha1).ok()?).ok()?,
            md5: None,
            sha512: None,
        })
    }

    /// Returns the checksums of all added bytes.
    pub(crate) fn finish(self) -> Checksums {
        Checksums {
            size: self.size,
            sha256: Digest::from_bytes(self.sha256.finalize().into()),
            sha1: self.sha1.finalize().into(),
            md5: self.md5.map(|md5| md5.finalize().into()),
            sha512: self.sha512.map(|sha512| sha512.finalize().into()),
        }
    }
}
