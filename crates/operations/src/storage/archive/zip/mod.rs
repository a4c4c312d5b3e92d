//! Zip files, read by their central directory. Local headers must match it and nothing may be between the entries, so
//! that a reader that starts at the beginning of the file sees the same files.

mod directory;
mod end;
mod layout;
mod lookup;
mod spool;

pub use self::lookup::ZipFile;

use std::{
    fs::File,
    io::{self, BufReader, Read},
};

use flate2::bufread::DeflateDecoder;
use rawzip::{CompressionMethod, ErrorKind, FileReader, ReaderAt, ZipArchive, ZipEntry, ZipLocator};

use self::{
    directory::{Directory, Entry},
    spool::Spool,
};
use super::{
    ArchiveError,
    limits::{Meter, Metered},
    members::Members,
};

type Zip<R> = ZipArchive<Spool<R>>;

/// Returns whether a file begins like a zip: with an entry, or with the end of an empty zip. A zip with a program in
/// front of it counts as a program.
pub(super) fn is_start(head: &[u8]) -> bool {
    head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06")
}

/// Checks all entries before reading the content of the first.
pub(super) fn each<E: From<ArchiveError>>(
    file: File,
    size_bytes: u64,
    meter: &mut Meter,
    members: &mut Members<E>,
) -> Result<(), E> {
    let (zip, directory) =
        open(FileReader::from(file), size_bytes, members.most_entries(), &mut |name| members.enter(name))?;
    for entry in &directory.entries {
        if let Some(path) = &entry.path {
            let place = zip.get_entry(entry.place).map_err(damaged)?;
            members.file(path.clone(), &mut Metered::new(content(entry, &place), meter))?;
        }
    }
    Ok(())
}

/// Opens a zip, and checks its directory and where its entries stand. One that has too many entries by its own account
/// is refused before they are read, which can take long.
fn open<R: ReaderAt>(
    reader: R,
    size_bytes: u64,
    most_entries: usize,
    enter: &mut directory::Enter<'_>,
) -> Result<(Zip<R>, Directory), ArchiveError> {
    let mut buffer = vec![0; rawzip::MAX_CENTRAL_DIRECTORY_RECORD_SIZE];
    let located = ZipLocator::new().locate_in_reader(Spool::new(reader, size_bytes), &mut buffer, size_bytes);
    let zip = located.map_err(|(_, error)| damaged(error))?;
    if zip.entries_hint() > most_entries as u64 {
        return Err(ArchiveError::TooManyEntries { limit: most_entries });
    }
    let directory = directory::read(&zip, &mut buffer, enter)?;
    end::check(&zip, &directory)?;
    layout::check(&zip, &directory.entries, &mut buffer)?;
    Ok((zip, directory))
}

/// Returns the unpacked content, which fails at its end if its size or checksum differs from the directory.
fn content<'a, R: ReaderAt>(entry: &Entry, place: &ZipEntry<'a, Spool<R>>) -> Box<dyn Read + 'a> {
    let packed = place.reader();
    match entry.method {
        CompressionMethod::STORE => Box::new(place.verifying_reader(packed)),
        _ => Box::new(place.verifying_reader(Inflated {
            decoder: DeflateDecoder::new(BufReader::new(packed)),
            packed_bytes: entry.place.compressed_size_hint(),
        })),
    }
}

/// Compressed content that must end exactly where it should.
struct Inflated<R> {
    decoder: DeflateDecoder<R>,
    packed_bytes: u64,
}

impl<R: io::BufRead> Read for Inflated<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.decoder.read(buffer)?;
        if read == 0 && !buffer.is_empty() && self.decoder.total_in() != self.packed_bytes {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "other bytes follow its compressed content"));
        }
        Ok(read)
    }
}

/// Returns the error for the zip as a whole, unless the disk has failed.
fn damaged(error: rawzip::Error) -> ArchiveError {
    match error.into_kind() {
        ErrorKind::IO(error) => ArchiveError::of_stream(error),
        other => ArchiveError::Damaged(other.to_string()),
    }
}
