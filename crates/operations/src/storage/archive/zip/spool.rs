//! The file that contains a zip.

use std::{fs::File, io};

use rawzip::{FileReader, ReaderAt};

/// A file that reports a plain end of file. Offsets in a zip are untrusted, and for some of them the system would
/// report a different error.
pub(super) struct Spool {
    reader: FileReader,
    pub(super) size_bytes: u64,
}

impl Spool {
    pub(super) fn new(file: File, size_bytes: u64) -> Self {
        Self { reader: file.into(), size_bytes }
    }

    /// Reads `N` bytes at an offset.
    pub(super) fn bytes_at<const N: usize>(&self, offset: u64) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.read_exact_at(&mut bytes, offset)?;
        Ok(bytes)
    }
}

impl ReaderAt for Spool {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        if offset < self.size_bytes { self.reader.read_at(buffer, offset) } else { Ok(0) }
    }
}
