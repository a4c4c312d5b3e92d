//! The file that contains a zip.

use std::{
    cell::RefCell,
    io::{self, Read, Seek, SeekFrom},
};

use rawzip::ReaderAt;

/// A file that reports a plain end of file. Offsets in a zip are untrusted, and for some of them the system would
/// report a different error.
pub(super) struct Spool<R> {
    reader: R,
    pub(super) size_bytes: u64,
}

impl<R: ReaderAt> Spool<R> {
    pub(super) fn new(reader: R, size_bytes: u64) -> Self {
        Self { reader, size_bytes }
    }

    /// Reads `N` bytes at an offset.
    pub(super) fn bytes_at<const N: usize>(&self, offset: u64) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.read_exact_at(&mut bytes, offset)?;
        Ok(bytes)
    }
}

impl<R: ReaderAt> ReaderAt for Spool<R> {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        if offset < self.size_bytes { self.reader.read_at(buffer, offset) } else { Ok(0) }
    }
}

/// A reader that seeks to the offset of each read.
pub(super) struct Seeking<R>(RefCell<R>);

impl<R> Seeking<R> {
    pub(super) fn new(reader: R) -> Self {
        Self(RefCell::new(reader))
    }
}

impl<R: Read + Seek> ReaderAt for Seeking<R> {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let mut reader = self.0.borrow_mut();
        reader.seek(SeekFrom::Start(offset))?;
        reader.read(buffer)
    }
}
