//! `Content-Range` and `Range` of uploads in chunks.

use super::error::{OciError, OciErrorCode};
use crate::readers::quoted;

/// The status of a chunk that does not follow the bytes before it.
const RANGE_NOT_SATISFIABLE: u16 = 416;

/// The first and the last byte of a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChunkRange {
    /// The position of the first byte.
    pub first: u64,
    /// The position of the last byte.
    pub last: u64,
}

impl ChunkRange {
    /// Parses `Content-Range` of an upload: `<first>-<last>`, without a unit.
    pub fn parse(text: &str) -> Result<Self, OciError> {
        let number = |digits: &str| -> Option<u64> {
            let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            if is_number { digits.parse().ok() } else { None }
        };
        let range = text.split_once('-').and_then(|(first, last)| {
            let range = Self { first: number(first)?, last: number(last)? };
            (range.first <= range.last && range.last < u64::MAX).then_some(range)
        });
        range.ok_or_else(|| {
            let message = format!("Content-Range '{}' is not '<first>-<last>'", quoted(text));
            OciError::new(OciErrorCode::BlobUploadInvalid, message)
        })
    }

    /// The number of bytes.
    pub fn bytes(self) -> u64 {
        self.last - self.first + 1
    }
}

/// Checks a chunk against the bytes received so far. Without a range, the chunk continues the upload.
pub fn check_chunk(range: Option<ChunkRange>, length: Option<u64>, received_bytes: u64) -> Result<(), OciError> {
    let Some(range) = range else { return Ok(()) };
    if range.first != received_bytes {
        let message = format!("the chunk begins at byte {}; the upload continues at {received_bytes}", range.first);
        return Err(OciError::new(OciErrorCode::BlobUploadInvalid, message).with_status(RANGE_NOT_SATISFIABLE));
    }
    match length {
        Some(length) => check_length(range, length),
        None => Ok(()),
    }
}

/// Checks the number of bytes of a chunk against its range. A body without `Content-Length` is checked at its end.
pub fn check_length(range: ChunkRange, length: u64) -> Result<(), OciError> {
    if range.bytes() == length {
        return Ok(());
    }
    let message = format!("Content-Range has {} bytes, but the chunk has {length}", range.bytes());
    Err(OciError::new(OciErrorCode::SizeInvalid, message))
}

/// The `Range` header of an upload: `0-<last>`. An empty upload has `0-0`, too.
pub fn range_header(received_bytes: u64) -> String {
    format!("0-{}", received_bytes.saturating_sub(1))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn other_ranges_are_refused() {
        for text in
            ["5-3", "", "-", "1-", "-1", "0-0x", "+0-1", "bytes 0-1/2", "0-18446744073709551615", "0-1-2", "a-b"]
        {
            let error = ChunkRange::parse(text).expect_err(text);
            assert_eq!((error.status, error.code), (400, OciErrorCode::BlobUploadInvalid), "{text}");
        }
        assert_eq!(ChunkRange::parse("0-0").map(ChunkRange::bytes), Ok(1));
    }

    #[test]
    fn a_chunk_continues_the_upload() {
        let range = ChunkRange::parse("5-9").ok();
        assert_eq!(check_chunk(range, Some(5), 5), Ok(()));
        assert_eq!(check_chunk(range, None, 5), Ok(()));
        assert_eq!(check_chunk(None, Some(7), 5), Ok(()));
        for received_bytes in [0, 4, 6, 10] {
            assert_eq!(check_chunk(range, Some(5), received_bytes).expect_err("a gap or an overlap").status, 416);
        }
        let error = check_chunk(range, Some(6), 5).expect_err("another length");
        assert_eq!((error.code, error.status), (OciErrorCode::SizeInvalid, 400));
        assert_eq!((range_header(0), range_header(1), range_header(10)), ("0-0".into(), "0-0".into(), "0-9".into()));
    }

    proptest! {
        #[test]
        fn chunks_in_order_are_accepted(lengths in prop::collection::vec(1_u64..1 << 40, 1..20)) {
            let mut received_bytes = 0;
            for length in lengths {
                let range = ChunkRange::parse(&format!("{received_bytes}-{}", received_bytes + length - 1)).ok();
                prop_assert!(range.is_some());
                prop_assert_eq!(check_chunk(range, Some(length), received_bytes), Ok(()));
                received_bytes += length;
                prop_assert_eq!(range_header(received_bytes), format!("0-{}", received_bytes - 1));
            }
        }
    }
}
