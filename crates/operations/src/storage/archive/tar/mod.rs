//! Tar streams: V7, ustar, GNU and pax. This replaces the `tar` crate, which stores long names of any size in memory,
//! accepts a truncated archive as complete, and finds pax records inside other records' values.

mod extensions;
mod header;

use std::io::{self, Read};

use self::{
    extensions::Extensions,
    header::{Header, Type},
};
use super::{ArchiveError, members::Members};

pub(super) use self::header::BLOCK_BYTES;

/// The maximum size of the long names and pax records of one header, in bytes.
const EXTENSION_BYTES: u64 = 1024 * 1024;

/// Returns whether a file begins like a plain tar.
pub(super) fn is_start(head: &[u8]) -> bool {
    head.try_into().map(Header).is_ok_and(|header| header.is_end() || header.has_right_sum())
}

/// Reads the stream to its very end, because the compression's checksum is there.
pub(super) fn each<E: From<ArchiveError>>(stream: impl Read, members: &mut Members<E>) -> Result<(), E> {
    let mut tape = Tape::new(stream);
    while let Some(entry) = tape.next_entry()? {
        match members.enter(&entry.name)? {
            Some(path) => members.file(path, &mut tape.content(entry.size_bytes))?,
            None if entry.size_bytes > 0 => Err(ArchiveError::entry(&entry.name, "is a folder with content"))?,
            None => {}
        }
        tape.skip_padding(entry.size_bytes)?;
    }
    io::copy(&mut tape.stream, &mut io::sink()).map_err(ArchiveError::of_stream)?;
    Ok(())
}

/// A file or a folder; the name of a folder ends with `/`.
struct Entry {
    name: Vec<u8>,
    size_bytes: u64,
}

/// An entry of any type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TarEntry {
    /// The name; that of a folder ends with `/`.
    pub name: Vec<u8>,
    /// The size of its content. Readers do not agree on whether content follows a link.
    pub size_bytes: u64,
    /// The reason why an archive that is unpacked may not have it, for example because it is a link. It continues the
    /// sentence that the name begins. `None` for a file or a folder.
    pub refusal: Option<&'static str>,
}

/// A tar stream, at the start of a block unless content is being read.
#[derive(Debug)]
pub struct Tape<R> {
    stream: R,
    is_new: bool,
}

impl<R: Read> Tape<R> {
    /// Starts to read a stream.
    pub fn new(stream: R) -> Self {
        Self { stream, is_new: true }
    }

    /// The stream, for example to read to its end after the last entry.
    pub fn stream(&mut self) -> &mut R {
        &mut self.stream
    }

    fn next_entry(&mut self) -> Result<Option<Entry>, ArchiveError> {
        match self.next_entry_of_any_type()? {
            Some(TarEntry { name, refusal: Some(reason), .. }) => Err(ArchiveError::entry(&name, reason)),
            Some(TarEntry { name, size_bytes, refusal: None }) => Ok(Some(Entry { name, size_bytes })),
            None => Ok(None),
        }
    }

    /// Returns the next entry, including links and other types that are never unpacked; `None` at the end mark. The
    /// caller reads or skips its content and its padding first.
    pub fn next_entry_of_any_type(&mut self) -> Result<Option<TarEntry>, ArchiveError> {
        let mut extensions = Extensions::default();
        while let Some(header) = self.next_header()? {
            match header.entry_type() {
                Type::LongName => extensions.add_long_name(&self.extension(&header)?)?,
                Type::LongLink => drop(self.extension(&header)?),
                Type::Pax => extensions.add_pax(&self.extension(&header)?)?,
                Type::GlobalPax => extensions::check_global(&self.extension(&header)?)?,
                entry_type => return entry(&header, entry_type, extensions).map(Some),
            }
        }
        Ok(None)
    }

    /// Returns the next header, or `None` at the block of zeros that ends the archive.
    fn next_header(&mut self) -> Result<Option<Header>, ArchiveError> {
        let is_first = std::mem::take(&mut self.is_new);
        let wrong =
            |reason: &str| if is_first { ArchiveError::UnknownKind } else { ArchiveError::Damaged(reason.to_owned()) };
        let mut block = Vec::with_capacity(header::SIZE);
        self.stream.by_ref().take(BLOCK_BYTES).read_to_end(&mut block).map_err(ArchiveError::of_stream)?;
        let header = Header(block.try_into().map_err(|_| wrong("it ends before its end mark"))?);
        match (header.is_end(), header.has_right_sum()) {
            (true, _) => Ok(None),
            (false, true) => Ok(Some(header)),
            (false, false) => Err(wrong("a header has a wrong checksum")),
        }
    }

    /// Returns the content of an extension header.
    fn extension(&mut self, header: &Header) -> Result<Vec<u8>, ArchiveError> {
        let size_bytes = header.size_bytes().filter(|size| *size <= EXTENSION_BYTES);
        let size_bytes = size_bytes.ok_or_else(|| ArchiveError::Damaged("an extension header is too long".into()))?;
        let mut extension = Vec::new();
        self.content(size_bytes).read_to_end(&mut extension).map_err(ArchiveError::of_stream)?;
        self.skip_padding(size_bytes)?;
        Ok(extension)
    }

    /// The next bytes of the stream, exactly this many.
    pub fn content(&mut self, size_bytes: u64) -> impl Read {
        Exactly { stream: &mut self.stream, left: size_bytes }
    }

    /// Skips to the start of the next block, after content of this size.
    pub fn skip_padding(&mut self, size_bytes: u64) -> Result<(), ArchiveError> {
        let padding = size_bytes.wrapping_neg() % BLOCK_BYTES;
        io::copy(&mut self.content(padding), &mut io::sink()).map_err(ArchiveError::of_stream)?;
        Ok(())
    }
}

fn entry(header: &Header, entry_type: Type, extensions: Extensions) -> Result<TarEntry, ArchiveError> {
    let mut name = extensions.name.unwrap_or_else(|| header.name());
    let refusal = match entry_type {
        _ if extensions.is_sparse => Some("is a sparse file"),
        Type::File => None,
        Type::Folder => {
            if !name.ends_with(b"/") {
                name.push(b'/');
            }
            None
        }
        Type::Refused(reason) => Some(reason),
        _ => Some("describes another entry"),
    };
    let size_bytes = header.size_bytes();
    match (refusal, size_bytes) {
        (Some(_), size) => {
            let size_bytes = size.unwrap_or(u64::MAX).max(extensions.size_bytes.unwrap_or(0));
            Ok(TarEntry { name, size_bytes, refusal })
        }
        (None, None) => Err(ArchiveError::entry(&name, "has a size that is not a number")),
        // Readers do not agree on which of the two counts. A size that does not fit into a header is too large in any
        // case.
        (None, size) if extensions.size_bytes.is_some_and(|told| Some(told) != size) => {
            Err(ArchiveError::entry(&name, "has another size in its pax header than in its own"))
        }
        (None, Some(size_bytes)) => Ok(TarEntry { name, size_bytes, refusal: None }),
    }
}

/// Reads exactly this many bytes of the stream.
struct Exactly<'a, R> {
    stream: &'a mut R,
    left: u64,
}

impl<R: Read> Read for Exactly<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.stream.by_ref().take(self.left).read(buffer)?;
        if read == 0 && self.left > 0 && !buffer.is_empty() {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "it ends too early"));
        }
        self.left -= read as u64;
        Ok(read)
    }
}
