//! The bytes of a whole stream before its generation is served, and gzip files around a stream.

use std::{collections::BTreeMap, io::Read};

use database::indexes::blocks;
use flate2::read::GzDecoder;

use crate::{
    Error, House, Result,
    format::{BuiltForm, WrappedStream},
    indexes::{deflate, stream::StreamBuild},
};

/// The maximum size of a stream that is signed as a whole.
const SIGNED_BYTES: u64 = 256 << 20;

/// The stored pieces of a stream in their order, with what stands between them.
pub(super) async fn pieces(house: &House, build: &StreamBuild) -> Result<Vec<u8>> {
    let size = build.finished.built.gzip.as_ref().map_or(0, |form| form.size_bytes);
    if size > SIGNED_BYTES {
        return Err(Error::Internal(format!("the index '{}' is too large to be signed", build.stream.name)));
    }
    let mut places: BTreeMap<i64, Option<i64>> = BTreeMap::new();
    for block in blocks::list_live(&house.db, build.stream.id).await? {
        if !build.ended.contains(&block.id) {
            places.insert(block.place, Some(block.id));
        }
    }
    places.extend(build.inserted.iter().map(|(block, _)| (block.place, None)));
    let mut bytes = Vec::new();
    for (index, (place, stored)) in places.into_iter().enumerate() {
        if index > 0 {
            bytes.extend(deflate::joint(&build.frame.between));
        }
        let missing = || Error::Internal(format!("the block at {place} of an index has no bytes"));
        let piece = match stored {
            Some(id) => blocks::find_bytes(&house.db, id).await?,
            None => build.inserted.iter().find(|(block, _)| block.place == place).map(|(_, bytes)| bytes.clone()),
        };
        bytes.extend(piece.ok_or_else(missing)?);
    }
    Ok(bytes)
}

/// The complete gzip file of a stream.
pub(super) async fn gzip(house: &House, build: &StreamBuild) -> Result<Vec<u8>> {
    let pieces = pieces(house, build).await?;
    Ok([deflate::head(&build.frame.before), pieces, build.finished.tail.clone()].concat())
}

/// The text of a gzip file.
pub(super) fn inflate(gzip: &[u8]) -> Result<Vec<u8>> {
    let mut text = Vec::new();
    let read = GzDecoder::new(gzip).take(SIGNED_BYTES + 1).read_to_end(&mut text);
    read.map_err(|error| Error::Internal(format!("an index is damaged: {error}")))?;
    if text.len() as u64 > SIGNED_BYTES {
        return Err(Error::Internal("an index is too large to be signed".into()));
    }
    Ok(text)
}

/// What comes before and after the pieces of a stream in a gzip file with texts around it. `tail` is the end of the
/// gzip file of the stream alone.
pub(super) fn around(wrapped: &WrappedStream, plain: &BuiltForm, tail: &[u8]) -> Result<(Vec<u8>, Vec<u8>)> {
    let damaged = || Error::Internal("the end of a stream has no checksum".into());
    let (_, sum) = tail.split_last_chunk::<8>().ok_or_else(damaged)?;
    let crc = u32::from_le_bytes([sum[0], sum[1], sum[2], sum[3]]);
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&wrapped.before);
    hasher.combine(&crc32fast::Hasher::new_with_initial_len(crc, plain.size_bytes));
    hasher.update(&wrapped.after);
    let size = wrapped.before.len() as u64 + plain.size_bytes + wrapped.after.len() as u64;
    Ok((deflate::head(&wrapped.before), deflate::tail(&wrapped.after, hasher.finalize(), size)))
}

/// A gzip file of this text.
pub(super) fn member(text: &[u8]) -> Vec<u8> {
    let (crc, size) = (crc32fast::hash(text), text.len() as u64);
    [deflate::head(&[]), deflate::compress(text), deflate::tail(&[], crc, size)].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{format::Frame, indexes::digests::Digests};

    #[test]
    fn texts_around_a_stream_are_in_the_same_gzip_file() {
        let frame = Frame { is_compressed: true, ..Frame::default() };
        let blocks = [b"one\n".repeat(100), b"two\n".repeat(70_000)];
        let (mut digests, mut pieces) = (Digests::new(&frame), Vec::new());
        for block in &blocks {
            let piece = deflate::compress(block);
            digests.add(&frame, block, &piece);
            pieces.extend(piece);
        }
        let finished = digests.finish(&frame, "s", 2);
        let (before, after) = (b"before".to_vec(), b"after".repeat(20_000));
        let wrapped = WrappedStream { stream: "s".into(), before, after, key_name: String::new() };
        let (head, tail) = around(&wrapped, &finished.built.plain, &finished.tail).expect("a checksum");
        let text = inflate(&[head, pieces, tail].concat()).expect("one member");
        assert!(text == [&wrapped.before[..], &blocks.concat(), &wrapped.after].concat());
        assert!(around(&wrapped, &finished.built.plain, b"short").is_err());
    }
}
