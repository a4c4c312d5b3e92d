//! The limits of an archive, measured on the bytes that are actually unpacked.

use std::io::{self, Read};

use super::ArchiveError;

/// Archives that unpack to less than this have no ratio limit.
const SMALL_BYTES: u64 = 1024 * 1024;

/// The limits of one archive.
#[derive(Debug, Clone)]
pub(crate) struct Limits {
    /// The number of files and folders.
    pub(crate) entries: usize,
    /// The total number of unpacked bytes; in a tar the headers count too.
    pub(crate) bytes: u64,
    /// The maximum ratio of the unpacked size to the archive's size.
    pub(crate) ratio: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { entries: 10_000, bytes: 5 * 1024 * 1024 * 1024, ratio: 100 }
    }
}

/// Counts the unpacked bytes of an archive.
pub(super) struct Meter {
    unpacked: u64,
    limits: Limits,
    dense_bytes: u64,
}

impl Meter {
    pub(super) fn new(limits: &Limits, archive_bytes: u64) -> Self {
        let dense_bytes = archive_bytes.saturating_mul(limits.ratio).max(SMALL_BYTES);
        Self { unpacked: 0, limits: limits.clone(), dense_bytes }
    }

    fn count(&mut self, bytes: usize) -> Result<(), ArchiveError> {
        self.unpacked += bytes as u64;
        if self.unpacked > self.limits.bytes {
            return Err(ArchiveError::TooManyBytes { limit: self.limits.bytes });
        }
        if self.unpacked > self.dense_bytes {
            return Err(ArchiveError::TooDense { limit: self.limits.ratio });
        }
        Ok(())
    }
}

/// A reader that counts its bytes.
pub(super) struct Metered<'a, R> {
    inner: R,
    meter: &'a mut Meter,
}

impl<'a, R> Metered<'a, R> {
    pub(super) fn new(inner: R, meter: &'a mut Meter) -> Self {
        Self { inner, meter }
    }
}

impl<R: Read> Read for Metered<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.meter.count(read)?;
        Ok(read)
    }
}
