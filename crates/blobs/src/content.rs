//! A blob that is being read.

use std::{fmt, ops::Range};

use bytes::Bytes;
use futures_util::stream::BoxStream;
use model::digest::Digest;

use crate::error::Error;

/// The bytes of a blob, or of a range of it, as a stream.
pub struct Content {
    /// The size of the whole blob, even if only a range was requested.
    pub size: u64,
    /// The bytes, in chunks of at most about a megabyte.
    pub stream: BoxStream<'static, Result<Bytes, Error>>,
}

impl fmt::Debug for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Content").field("size", &self.size).finish_non_exhaustive()
    }
}

/// Returns the requested range, which must lie within the blob.
pub(crate) fn part(digest: Digest, range: Option<Range<u64>>, size: u64) -> Result<Range<u64>, Error> {
    let range = range.unwrap_or(0..size);
    if range.start > range.end || range.end > size {
        return Err(Error::Range { digest, start: range.start, end: range.end, size });
    }
    Ok(range)
}
