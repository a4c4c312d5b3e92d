//! gzip files that are joined from blocks: one member of many pieces of deflate, none of which knows the others.

use std::io::Read;

use flate2::{Compress, Compression, FlushCompress, read::DeflateDecoder};

use crate::{Error, Result};

/// The header of a gzip file without a name and a time.
const HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];

/// The last piece of a deflate stream, without any content.
const END: [u8; 5] = [1, 0, 0, 0xff, 0xff];

/// The maximum content of a piece that is not compressed.
const STORED_BYTES: usize = 0xffff;

/// The first room for a compressed text, and what is added when it is full.
const ROOM_BYTES: usize = 64 << 10;

/// Compresses a text so that it can stand anywhere between other pieces.
pub(super) fn compress(text: &[u8]) -> Vec<u8> {
    let mut state = Compress::new(Compression::new(6), false);
    let mut piece = Vec::with_capacity(ROOM_BYTES);
    // Not with an encoder: its `flush` stops too early if its buffer becomes full at that moment. All is written when
    // room is left.
    while piece.len() == piece.capacity() || piece.is_empty() {
        piece.reserve(ROOM_BYTES);
        let rest = &text[usize::try_from(state.total_in()).expect("a part of the text")..];
        state.compress_vec(rest, &mut piece, FlushCompress::Sync).expect("memory takes everything");
    }
    piece
}

/// Returns the text of a compressed piece, which has this size.
pub(super) fn inflate(piece: &[u8], size: u64) -> Result<Vec<u8>> {
    let mut text = Vec::new();
    let mut decoder = DeflateDecoder::new(piece.chain(&END[..])).take(size + 1);
    let read = decoder.read_to_end(&mut text).map_err(|error| error.to_string());
    match read {
        Ok(found) if found as u64 == size => Ok(text),
        Ok(_) => Err(Error::Internal("a block of an index has another size than its row says".into())),
        Err(error) => Err(Error::Internal(format!("a block of an index is damaged: {error}"))),
    }
}

/// A text as pieces that are not compressed.
fn store(text: &[u8], into: &mut Vec<u8>) {
    for part in text.chunks(STORED_BYTES) {
        let length = u16::try_from(part.len()).unwrap_or(u16::MAX);
        into.push(0);
        into.extend(length.to_le_bytes());
        into.extend((!length).to_le_bytes());
        into.extend_from_slice(part);
    }
}

/// The beginning of a gzip file with this text at its start.
pub(super) fn head(before: &[u8]) -> Vec<u8> {
    let mut bytes = HEADER.to_vec();
    store(before, &mut bytes);
    bytes
}

/// A text between two pieces.
pub(super) fn joint(between: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    store(between, &mut bytes);
    bytes
}

/// The end of a gzip file with this text at its end. The checksum and the size are those of the whole text.
pub(super) fn tail(after: &[u8], crc: u32, size: u64) -> Vec<u8> {
    let mut bytes = joint(after);
    bytes.extend(END);
    bytes.extend(crc.to_le_bytes());
    // The format has the size modulo 2 to the power of 32.
    bytes.extend(u32::try_from(size & 0xffff_ffff).unwrap_or(0).to_le_bytes());
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text that does not compress well: half a byte for each character.
    fn digits(count: usize) -> Vec<u8> {
        let mut state: u64 = 0x9e37_79b9_7f4a_7c15;
        let mut digit = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            b"0123456789abcdef"[usize::try_from(state >> 60).expect("four bits")]
        };
        (0..count).map(|_| digit()).collect()
    }

    #[test]
    fn pieces_of_every_size_are_complete() {
        let text = digits(400_000);
        // Their compressed sizes pass the ends of buffers in small steps.
        let around = |size: usize| (size..size + 4_000).step_by(13);
        for size in around(55_000).chain(around(112_000)).chain([0, 1, 260_000, 400_000]) {
            let piece = compress(&text[..size]);
            assert!(inflate(&piece, size as u64).expect("complete") == text[..size], "{size}");
        }
    }
}
