//! The checksums of a body that arrives in several requests: their states are recorded between two pieces.

use bytes::Bytes;
use model::digest::Digest;
use sha1::Sha1;
use sha2::{
    Digest as _, Sha256,
    digest::common::hazmat::{SerializableState, SerializedState},
};

use crate::{
    error::Error,
    hashes::{Checksums, INLINE_BYTES},
    off_reactor,
};

/// The running state of the checksums. Unlike [`Hashes`](crate::hashes::Hashes) it can be stored, which only the slower
/// of the two libraries offers.
pub(crate) struct ResumableHashes {
    size: u64,
    sha256: Sha256,
    sha1: Sha1,
}

impl ResumableHashes {
    pub(crate) fn new() -> Self {
        Self { size: 0, sha256: Sha256::new(), sha1: Sha1::new() }
    }

    /// Continues from the states after this many bytes; `None` if they are not states.
    pub(crate) fn resume(size: u64, states: &[u8]) -> Option<Self> {
        let (sha256, sha1) = states.split_at_checked(SerializedState::<Sha256>::default().len())?;
        Some(Self {
            size,
            sha256: Sha256::deserialize(&SerializedState::<Sha256>::try_from(sha256).ok()?).ok()?,
            sha1: Sha1::deserialize(&SerializedState::<Sha1>::try_from(sha1).ok()?).ok()?,
        })
    }

    /// Adds the next piece, on two blocking threads if it is large.
    pub(crate) async fn updated(self, piece: Bytes) -> Result<Self, Error> {
        let Self { size, sha256, sha1 } = self;
        let size = size + piece.len() as u64;
        if piece.len() <= INLINE_BYTES {
            return Ok(Self { size, sha256: sha256.chain_update(&piece), sha1: sha1.chain_update(&piece) });
        }
        let same = piece.clone();
        let (sha256, sha1) = tokio::try_join!(
            off_reactor::run("hashing a body", move || Ok(sha256.chain_update(&piece))),
            off_reactor::run("hashing a body", move || Ok(sha1.chain_update(&same))),
        )?;
        Ok(Self { size, sha256, sha1 })
    }

    /// Returns the states, to continue them later.
    pub(crate) fn states(&self) -> Vec<u8> {
        [&self.sha256.serialize()[..], &self.sha1.serialize()[..]].concat()
    }

    /// Returns the number of added bytes.
    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    /// Returns the checksums of all added bytes.
    pub(crate) fn finish(self) -> Checksums {
        Checksums {
            size: self.size,
            sha256: Digest::from_bytes(self.sha256.finalize().into()),
            sha1: self.sha1.finalize().into(),
            md5: None,
            sha512: None,
        }
    }
}
