//! Digests of a stream that continue from a block. Their states are stored with each block, so one more entry at the
//! end of a large stream does not hash all of it again.

use model::digest::hex;
use sha2::{
    Digest, Sha256,
    digest::common::hazmat::{SerializableState, SerializedState},
};

use crate::{
    Error, Result,
    format::{BuiltForm, BuiltStream, Frame},
    indexes::deflate,
};

/// The digests of a stream up to some block, of both its forms.
#[derive(Clone)]
pub(super) struct Digests {
    plain: Sha256,
    gzip: Sha256,
    crc: crc32fast::Hasher,
    plain_size: u64,
    gzip_size: u64,
    /// Whether a block was added, so that the next one comes after a joint.
    has_blocks: bool,
}

/// The size of a stored state of SHA-256.
const STATE_BYTES: usize = size_of::<SerializedState<Sha256>>();

/// A complete stream.
pub(super) struct FinishedStream {
    pub(super) built: BuiltStream,
    /// The end of the gzip file.
    pub(super) tail: Vec<u8>,
}

impl Digests {
    /// The digests before the first block.
    pub(super) fn new(frame: &Frame) -> Self {
        let (plain, gzip, crc) = (Sha256::new(), Sha256::new(), crc32fast::Hasher::new());
        let mut digests = Self { plain, gzip, crc, plain_size: 0, gzip_size: 0, has_blocks: false };
        digests.update(&frame.before, &deflate::head(&frame.before));
        digests
    }

    /// Adds a block in both its forms.
    pub(super) fn add(&mut self, frame: &Frame, text: &[u8], piece: &[u8]) {
        if self.has_blocks && !frame.between.is_empty() {
            self.update(&frame.between, &deflate::joint(&frame.between));
        }
        self.update(text, piece);
        self.has_blocks = true;
    }

    fn update(&mut self, text: &[u8], piece: &[u8]) {
        self.plain.update(text);
        self.crc.update(text);
        self.gzip.update(piece);
        self.plain_size += text.len() as u64;
        self.gzip_size += piece.len() as u64;
    }

    /// Ends the stream.
    pub(super) fn finish(mut self, frame: &Frame, name: &str, entries: u64) -> FinishedStream {
        let mut crc = self.crc.clone();
        crc.update(&frame.after);
        let size = self.plain_size + frame.after.len() as u64;
        let tail = deflate::tail(&frame.after, crc.finalize(), size);
        self.update(&frame.after, &tail);
        let form = |size_bytes, digest: Sha256| BuiltForm { size_bytes, sha256: hex(&digest.finalize()) };
        let (plain, gzip) = (form(self.plain_size, self.plain), form(self.gzip_size, self.gzip));
        FinishedStream { built: BuiltStream { name: name.to_owned(), entries, plain, gzip: Some(gzip) }, tail }
    }

    /// The states, for the row of a block.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.plain.serialize().to_vec();
        bytes.extend_from_slice(&self.gzip.serialize());
        bytes.extend(self.crc.clone().finalize().to_le_bytes());
        bytes.extend(self.plain_size.to_le_bytes());
        bytes.extend(self.gzip_size.to_le_bytes());
        bytes
    }

    /// Goes on from the states in the row of a block.
    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let damaged = || Error::Internal("the states of an index's digests are damaged".into());
        let mut rest = bytes;
        let mut take = |count: usize| {
            let (part, others) = rest.split_at_checked(count).ok_or_else(damaged)?;
            rest = others;
            Ok::<_, Error>(part)
        };
        let state = |part: &[u8]| {
            let state = SerializedState::<Sha256>::try_from(part).map_err(|_| damaged())?;
            Sha256::deserialize(&state).map_err(|_| damaged())
        };
        let number = |part: &[u8]| part.iter().rev().fold(0_u64, |sum, byte| sum << 8 | u64::from(*byte));
        let (plain, gzip) = (state(take(STATE_BYTES)?)?, state(take(STATE_BYTES)?)?);
        let crc = u32::try_from(number(take(4)?)).unwrap_or_default();
        let (plain_size, gzip_size) = (number(take(8)?), number(take(8)?));
        let crc = crc32fast::Hasher::new_with_initial_len(crc, plain_size);
        Ok(Self { plain, gzip, crc, plain_size, gzip_size, has_blocks: true })
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::GzDecoder;
    use proptest::prelude::*;

    use super::*;

    fn frame(before: &str, between: &str, after: &str) -> Frame {
        let [before, between, after] = [before, between, after].map(|text| text.as_bytes().to_vec());
        Frame { before, between, after, is_compressed: true }
    }

    /// The whole stream in both forms, as it is served.
    fn whole(frame: &Frame, blocks: &[Vec<u8>], tail: &[u8]) -> (Vec<u8>, Vec<u8>) {
        let (mut plain, mut gzip) = (frame.before.clone(), deflate::head(&frame.before));
        for (index, block) in blocks.iter().enumerate() {
            if index > 0 {
                plain.extend(&frame.between);
                gzip.extend(deflate::joint(&frame.between));
            }
            plain.extend(block);
            gzip.extend(deflate::compress(block));
        }
        plain.extend(&frame.after);
        gzip.extend(tail);
        (plain, gzip)
    }

    proptest! {
        #[test]
        fn a_stream_built_step_by_step_is_the_one_built_at_once(
            blocks in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..2_000), 0..6),
            [before, between, after] in prop::array::uniform3("[a-z\n]{0,40}"),
        ) {
            let frame = frame(&before, &between, &after);
            let mut digests = Digests::new(&frame);
            for block in &blocks {
                digests.add(&frame, block, &deflate::compress(block));
                // Every step goes on from the stored states of the one before.
                digests = Digests::from_bytes(&digests.to_bytes()).expect("valid states");
            }
            let finished = digests.finish(&frame, "s", 0);
            let (plain, gzip) = whole(&frame, &blocks, &finished.tail);
            let form = |bytes: &[u8]| BuiltForm { size_bytes: bytes.len() as u64, sha256: hex(&Sha256::digest(bytes)) };
            prop_assert_eq!(finished.built.plain, form(&plain));
            prop_assert_eq!(finished.built.gzip, Some(form(&gzip)));
            let mut text = Vec::new();
            GzDecoder::new(&gzip[..]).read_to_end(&mut text).expect("one member of gzip");
            prop_assert_eq!(text, plain);
        }
    }

    #[test]
    fn pieces_are_inflated_one_by_one() {
        let text = b"block\n".repeat(10_000);
        let piece = deflate::compress(&text);
        assert!(piece.len() < 1_000);
        assert_eq!(deflate::inflate(&piece, 60_000).expect("valid"), text);
        assert!(deflate::inflate(&piece, 59_999).is_err() && deflate::inflate(&piece, 60_001).is_err());
        assert!(deflate::inflate(b"\xff\xff\xff", 3).is_err());
        assert!(Digests::from_bytes(b"short").is_err());
    }
}
