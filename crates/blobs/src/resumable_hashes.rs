//! The SHA-256 of a body that arrives in several requests: its state is recorded between two pieces.

use bytes::Bytes;
use model::digest::Digest;
use sha2::{
    Digest as _, Sha256,
    digest::common::hazmat::{SerializableState, SerializedState},
};

use crate::{
    error::Error,
    hashes::{Checksums, INLINE_BYTES},
    off_reactor,
};

/// The running state of the SHA-256. Unlike [`Hashes`](crate::hashes::Hashes) it can be stored, which only the slower of
/// the two libraries offers.
pub(crate) struct ResumableHashes {
    size: u64,
    sha256: Sha256,
}

impl ResumableHashes {
    pub(crate) fn new() -> Self {
        Self { size: 0, sha256: Sha256::new() }
    }

    /// Continues from the state after this many bytes; `None` if it is none. An upload that an earlier version began has
    /// the state of a SHA-1 behind it.
    pub(crate) fn resume(size: u64, states: &[u8]) -> Option<Self> {
        let (sha256, _) = states.split_at_checked(SerializedState::<Sha256>::default().len())?;
        let sha256 = Sha256::deserialize(&SerializedState::<Sha256>::try_from(sha256).ok()?).ok()?;
        Some(Self { size, sha256 })
    }

    /// Adds the next piece, on another thread if it is large.
    pub(crate) async fn updated(self, piece: Bytes) -> Result<Self, Error> {
        let add =
            move |piece: Bytes| Self { size: self.size + piece.len() as u64, sha256: self.sha256.chain_update(piece) };
        if piece.len() <= INLINE_BYTES {
            return Ok(add(piece));
        }
        off_reactor::run("hashing a body", move || Ok(add(piece))).await
    }

    /// Returns the state, to continue it later.
    pub(crate) fn states(&self) -> Vec<u8> {
        self.sha256.serialize().to_vec()
    }

    /// Returns the number of added bytes.
    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    /// Returns the size and the SHA-256 of all added bytes.
    pub(crate) fn finish(self) -> Checksums {
        let sha256 = Digest::from_bytes(self.sha256.finalize().into());
        Checksums { size: self.size, sha256, sha1: None, md5: None, sha512: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hashes;

    #[tokio::test]
    async fn a_state_is_continued_with_or_without_that_of_a_sha1() {
        let piece = Bytes::from((0..100_003_u32).map(|number| number.to_le_bytes()[0]).collect::<Vec<_>>());
        let begun = ResumableHashes::new().updated(piece.clone()).await.expect("hashed");
        let whole = hashes::sha256(&[&piece[..], &piece[..70]].concat());
        for states in [begun.states(), [begun.states(), vec![1; 28]].concat()] {
            let resumed = ResumableHashes::resume(begun.size(), &states).expect("a state");
            let found = resumed.updated(piece.slice(..70)).await.expect("hashed").finish();
            assert_eq!((found.size, found.sha256), (100_073, whole));
        }
        assert!(ResumableHashes::resume(0, &[1, 2, 3]).is_none());
    }
}
