//! The checksums of a body, computed in one pass.

use aws_lc_rs::digest::{self, Context, SHA1_FOR_LEGACY_USE_ONLY, SHA256, SHA512};
use bytes::Bytes;
use futures_util::{TryStreamExt, stream::BoxStream};
use md5::{Digest as _, Md5};
use model::digest::Digest;

use crate::{error::Error, off_reactor, pending::ReceiveOptions, sha_instructions};

/// Up to this size hashing (about 1.5 µs per KiB) costs the reactor less than a switch to another thread.
pub(crate) const INLINE_BYTES: usize = 16 << 10;

/// The size and the checksums of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checksums {
    /// The size in bytes.
    pub size: u64,
    /// The SHA-256, which names the stored content.
    pub sha256: Digest,
    /// The SHA-1, if requested.
    pub sha1: Option<[u8; 20]>,
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
            sha1: options.sha1.then(|| bytes_of(&digest::digest(&SHA1_FOR_LEGACY_USE_ONLY, body))),
            md5: options.md5.then(|| Md5::digest(body).into()),
            sha512: options.sha512.then(|| bytes_of(&digest::digest(&SHA512, body))),
        }
    }
}

/// Computes the SHA-256 of a small body.
pub(crate) fn sha256(body: &[u8]) -> Digest {
    Digest::from_bytes(bytes_of(&digest::digest(&SHA256, body)))
}

/// Returns an error if the bytes do not match the digest of the blob.
pub(crate) fn check(expected: Digest, body: &[u8]) -> Result<(), Error> {
    match sha256(body) {
        found if found == expected => Ok(()),
        found => Err(Error::Damaged { digest: expected, reason: format!("its SHA-256 is {found}") }),
    }
}

/// Computes the checksums of a whole blob, without the slow ones.
pub(crate) async fn of_stream(stream: BoxStream<'static, Result<Bytes, Error>>) -> Result<Checksums, Error> {
    Ok(Hashes::plain().and_stream(stream).await?.finish())
}

/// The running state of a body's checksums.
pub struct Hashes {
    size: u64,
    sha256: Context,
    others: Others,
}

/// The checksums next to the SHA-256.
struct Others {
    sha1: Option<Context>,
    md5: Option<Md5>,
    sha512: Option<Context>,
}

impl Hashes {
    /// Creates a state without the slow checksums.
    pub(crate) fn plain() -> Self {
        Self::new(ReceiveOptions::PLAIN)
    }

    /// Creates a state with the SHA-256 and the requested checksums.
    pub fn new(options: ReceiveOptions) -> Self {
        let others = Others {
            sha1: options.sha1.then(|| Context::new(&SHA1_FOR_LEGACY_USE_ONLY)),
            md5: options.md5.then(Md5::new),
            sha512: options.sha512.then(|| Context::new(&SHA512)),
        };
        Self { size: 0, sha256: Context::new(&SHA256), others }
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

    /// Adds the next piece, on other threads if it is large.
    pub(crate) async fn updated(mut self, piece: Bytes) -> Result<Self, Error> {
        if piece.len() <= INLINE_BYTES {
            self.update(&piece);
            return Ok(self);
        }
        if self.others.are_none() {
            let add = move || {
                self.update(&piece);
                Ok(self)
            };
            return off_reactor::run("hashing a body", add).await;
        }
        Ok(self.updated_apart(piece, "hashing a body", || Ok(())).await?.0)
    }

    /// Adds the next piece, and does something else with the same bytes that takes less time than hashing. All on one
    /// thread, so that the bytes are read from memory once, unless hashing takes much longer.
    pub(crate) async fn updated_and<T: Send + 'static>(
        mut self,
        piece: Bytes,
        doing: &str,
        other: impl FnOnce() -> Result<T, Error> + Send + 'static,
    ) -> Result<(Self, T), Error> {
        if !self.others.are_none() || !sha_instructions::exist() {
            return self.updated_apart(piece, doing, other).await;
        }
        let add = move || {
            self.update(&piece);
            Ok((self, other()?))
        };
        off_reactor::run(doing, add).await
    }

    /// The same on two threads: the SHA-256 takes about as long as the SHA-1 and a write.
    async fn updated_apart<T: Send + 'static>(
        self,
        piece: Bytes,
        doing: &str,
        other: impl FnOnce() -> Result<T, Error> + Send + 'static,
    ) -> Result<(Self, T), Error> {
        let Self { size, mut sha256, mut others } = self;
        let size = size + piece.len() as u64;
        let same = piece.clone();
        let (sha256, (others, done)) = tokio::try_join!(
            off_reactor::run("hashing a body", move || {
                sha256.update(&piece);
                Ok(sha256)
            }),
            off_reactor::run(doing, move || {
                others.update(&same);
                Ok((others, other()?))
            }),
        )?;
        Ok((Self { size, sha256, others }, done))
    }

    /// Adds the next piece on the current thread.
    pub fn update(&mut self, piece: &[u8]) {
        self.size += piece.len() as u64;
        self.sha256.update(piece);
        self.others.update(piece);
    }

    /// Returns the checksums of all added bytes.
    pub fn finish(self) -> Checksums {
        let Others { sha1, md5, sha512 } = self.others;
        Checksums {
            size: self.size,
            sha256: Digest::from_bytes(bytes_of(&self.sha256.finish())),
            sha1: sha1.map(|sha1| bytes_of(&sha1.finish())),
            md5: md5.map(|md5| md5.finalize().into()),
            sha512: sha512.map(|sha512| bytes_of(&sha512.finish())),
        }
    }
}

impl Others {
    fn are_none(&self) -> bool {
        self.sha1.is_none() && self.md5.is_none() && self.sha512.is_none()
    }

    fn update(&mut self, piece: &[u8]) {
        if let Some(sha1) = &mut self.sha1 {
            sha1.update(piece);
        }
        if let Some(md5) = &mut self.md5 {
            md5.update(piece);
        }
        if let Some(sha512) = &mut self.sha512 {
            sha512.update(piece);
        }
    }
}

fn bytes_of<const N: usize>(digest: &digest::Digest) -> [u8; N] {
    digest.as_ref().try_into().expect("the algorithm has digests of this length")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn one_thread_and_two_compute_the_same() {
        let piece = Bytes::from((0..100_003_u32).map(|number| number.to_le_bytes()[0]).collect::<Vec<_>>());
        let mut together = Hashes::plain();
        together.update(&piece);
        together.update(&piece[..70]);
        let apart = Hashes::plain().updated(piece.clone()).await.expect("hashed");
        let (apart, done) = apart.updated_and(piece.slice(..70), "a test", || Ok("done")).await.expect("hashed");
        assert_eq!(done, "done");
        let whole = [&piece[..], &piece[..70]].concat();
        let expected = Checksums::complete(sha256(&whole), &whole, ReceiveOptions::PLAIN);
        assert_eq!((together.finish(), apart.finish()), (expected, expected));
    }

    #[tokio::test]
    async fn a_sha256_alone_is_that_of_all_pieces() {
        let piece = Bytes::from(vec![7; 100_003]);
        let hashes = Hashes::new(ReceiveOptions::SHA256).updated(piece.clone()).await.expect("hashed");
        let found = hashes.updated(piece.slice(..70)).await.expect("hashed").finish();
        let whole = [&piece[..], &piece[..70]].concat();
        assert_eq!(found, Checksums { size: 100_073, sha256: sha256(&whole), sha1: None, md5: None, sha512: None });
    }
}
