//! A SHA-256 whose state can be stored, computed by the library behind TLS: where the processor has no instructions for
//! it, that library takes a third of the time of the pure Rust one, which could store its state, too.

use aws_lc_sys::SHA256_TransformBlocks;

/// The number of bytes that change the state at once.
const BLOCK: usize = 64;

/// The length of a stored state: eight words, the number of blocks, and the bytes behind them with their number.
const STORED: usize = 32 + 8 + BLOCK;

const INITIAL: [u32; 8] =
    [0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19];

/// The running state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sha256State {
    words: [u32; 8],
    blocks: u64,
    /// The bytes that do not fill a block yet.
    rest: Vec<u8>,
}

impl Sha256State {
    pub(crate) fn new() -> Self {
        Self { words: INITIAL, blocks: 0, rest: Vec::with_capacity(BLOCK) }
    }

    /// Reads a stored state; `None` if it is none.
    pub(crate) fn read(stored: &[u8]) -> Option<Self> {
        let (words, behind) = stored.get(..STORED)?.split_at(32);
        let (blocks, behind) = behind.split_at(8);
        let (count, bytes) = behind.split_first()?;
        let (rest, unused) = bytes.split_at_checked(usize::from(*count))?;
        let mut state = Self::new();
        for (word, stored) in state.words.iter_mut().zip(words.chunks_exact(4)) {
            *word = u32::from_le_bytes(stored.try_into().ok()?);
        }
        state.blocks = u64::from_le_bytes(blocks.try_into().ok()?);
        state.rest.extend_from_slice(rest);
        unused.iter().all(|byte| *byte == 0).then_some(state)
    }

    /// Returns the state to store, in the form that earlier versions have stored.
    pub(crate) fn stored(&self) -> Vec<u8> {
        let mut stored: Vec<u8> = self.words.iter().flat_map(|word| word.to_le_bytes()).collect();
        stored.extend(self.blocks.to_le_bytes());
        stored.extend(u8::try_from(self.rest.len()));
        stored.extend(&self.rest);
        stored.resize(STORED, 0);
        stored
    }

    /// Adds bytes.
    pub(crate) fn update(&mut self, mut bytes: &[u8]) {
        if !self.rest.is_empty() {
            let (first, others) = bytes.split_at(bytes.len().min(BLOCK - self.rest.len()));
            self.rest.extend_from_slice(first);
            bytes = others;
            if self.rest.len() < BLOCK {
                return;
            }
            let block = std::mem::take(&mut self.rest);
            self.compress(&block);
        }
        let (blocks, rest) = bytes.split_at(bytes.len() / BLOCK * BLOCK);
        self.compress(blocks);
        self.rest.extend_from_slice(rest);
    }

    /// Returns the digest of all added bytes: they are followed by a bit, zeros up to the end of a block, and their length
    /// in bits.
    pub(crate) fn finish(mut self) -> [u8; 32] {
        let bits = (self.blocks * BLOCK as u64 + self.rest.len() as u64) * 8;
        let mut last = vec![0x80];
        last.resize(1 + (BLOCK + 55 - self.rest.len()) % BLOCK, 0);
        last.extend(bits.to_be_bytes());
        self.update(&last);
        let mut digest = [0; 32];
        for (bytes, word) in digest.chunks_exact_mut(4).zip(self.words) {
            bytes.copy_from_slice(&word.to_be_bytes());
        }
        digest
    }

    /// Changes the state by whole blocks.
    #[expect(unsafe_code, reason = "no library offers the fast function and the state in safe code")]
    fn compress(&mut self, blocks: &[u8]) {
        debug_assert!(blocks.len().is_multiple_of(BLOCK), "the caller passes whole blocks");
        let count = blocks.len() / BLOCK;
        if count == 0 {
            // The function would not stop.
            return;
        }
        // The library finds out what the processor can do.
        aws_lc_rs::init();
        // SAFETY: the state has eight words, and the bytes are this many blocks, at least one. The function reads and writes only those,
        // and keeps neither pointer.
        unsafe { SHA256_TransformBlocks(self.words.as_mut_ptr(), blocks.as_ptr(), count) };
        self.blocks += count as u64;
    }
}

#[cfg(test)]
mod tests {
    use sha2::{
        Digest as _, Sha256,
        digest::common::hazmat::{SerializableState, SerializedState},
    };

    use super::*;

    fn bytes(count: usize) -> Vec<u8> {
        (0..count).map(|number| u32::try_from(number * 7).expect("small").to_le_bytes()[0]).collect()
    }

    #[test]
    fn every_length_around_blocks_has_the_right_digest_in_one_piece_and_in_two() {
        for length in (0..200).chain([4_095, 4_096, 4_097]) {
            let whole = bytes(length);
            let expected: [u8; 32] = Sha256::digest(&whole).into();
            for first in [0, 1, 55, 56, 63, 64, 65, 128, length].into_iter().filter(|first| *first <= length) {
                let mut state = Sha256State::new();
                state.update(&whole[..first]);
                let mut state = Sha256State::read(&state.stored()).expect("a state");
                state.update(&whole[first..]);
                assert_eq!(state.finish(), expected, "{first} of {length} bytes");
            }
        }
    }

    #[test]
    fn a_stored_state_is_that_of_earlier_versions() {
        for length in [0, 1, 63, 64, 1_000, 4_096] {
            let mut ours = Sha256State::new();
            ours.update(&bytes(length));
            let theirs = Sha256::new().chain_update(bytes(length)).serialize();
            assert_eq!(ours.stored(), theirs.to_vec(), "{length} bytes");
            assert!(
                Sha256::deserialize(&SerializedState::<Sha256>::try_from(&ours.stored()[..]).expect("long")).is_ok()
            );
        }
    }

    #[test]
    fn what_is_no_state_is_refused() {
        let stored = Sha256State::new().stored();
        let changed = |at: usize, byte: u8| {
            let mut stored = stored.clone();
            stored[at] = byte;
            stored
        };
        assert_eq!(Sha256State::read(&stored), Some(Sha256State::new()));
        assert_eq!(Sha256State::read(&stored[..STORED - 1]), None);
        assert_eq!(Sha256State::read(&changed(40, 64)), None, "more bytes than fit");
        assert_eq!(Sha256State::read(&changed(41, 1)), None, "a byte that does not count");
    }
}
