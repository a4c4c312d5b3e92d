//! The SHA-256 of a body that arrives in several requests: its state is recorded between two pieces.

use bytes::Bytes;
use model::digest::Digest;

use crate::{
    error::Error,
    hashes::{Checksums, INLINE_BYTES},
    off_reactor,
    sha256_state::Sha256State,
};

/// The running state of the SHA-256. Unlike [`Hashes`](crate::hashes::Hashes) it can be stored.
pub(crate) struct ResumableHashes {
    size: u64,
    sha256: Sha256State,
}

impl ResumableHashes {
    pub(crate) fn new() -> Self {
        Self { size: 0, sha256: Sha256State::new() }
    }

    /// Continues from the state after this many bytes; `None` if it is none. An upload that an earlier version began has
    /// the state of a SHA-1 behind it.
    pub(crate) fn resume(size: u64, states: &[u8]) -> Option<Self> {
        Some(Self { size, sha256: Sha256State::read(states)? })
    }

    /// Adds the next piece, on another thread if it is large.
    pub(crate) async fn updated(mut self, piece: Bytes) -> Result<Self, Error> {
        let is_small = piece.len() <= INLINE_BYTES;
        let add = move || {
            self.update(&piece);
            Ok(self)
        };
        if is_small { add() } else { off_reactor::run("hashing a body", add).await }
    }

    /// Adds the next piece on the current thread.
    pub(crate) fn update(&mut self, piece: &[u8]) {
        self.size += piece.len() as u64;
        self.sha256.update(piece);
    }

    /// Returns the state, to continue it later.
    pub(crate) fn states(&self) -> Vec<u8> {
        self.sha256.stored()
    }

    /// Returns the number of added bytes.
    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    /// Returns the size and the SHA-256 of all added bytes.
    pub(crate) fn finish(self) -> Checksums {
        let sha256 = Digest::from_bytes(self.sha256.finish());
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
