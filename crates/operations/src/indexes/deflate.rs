//! gzip files that are joined from blocks: one member of many pieces of deflate, none of which knows the others.

use std::io::{Read, Write};

use flate2::{Compression, read::DeflateDecoder, write::DeflateEncoder};

use crate::{Error, Result};

/// The header of a gzip file without a name and a time.
const HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];

/// The last piece of a deflate stream, without any content.
const END: [u8; 5] = [1, 0, 0, 0xff, 0xff];

/// The maximum content of a piece that is not compressed.
const STORED_BYTES: usize = 0xffff;

/// Compresses a text so that it can stand anywhere between other pieces.
pub(super) fn compress(text: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::new(6));
    encoder.write_all(text).and_then(|()| encoder.flush()).expect("memory takes everything");
    encoder.get_ref().clone()
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
