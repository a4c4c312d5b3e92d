//! The layout of a zip's entries: one after the other from the first byte on, without gaps and overlaps.

use rawzip::{ReaderAt, ZipEntry};

use super::{
    Zip, damaged,
    directory::{self, Entry},
    spool::Spool,
};
use crate::storage::archive::ArchiveError;

/// Checks the bytes before the directory against the directory.
pub(super) fn check(zip: &Zip<impl ReaderAt>, entries: &[Entry], buffer: &mut [u8]) -> Result<(), ArchiveError> {
    let mut in_order: Vec<&Entry> = entries.iter().collect();
    in_order.sort_by_key(|entry| entry.header_offset);
    let starts = in_order.iter().map(|entry| entry.header_offset).chain([zip.directory_offset()]);
    if starts.clone().next() != Some(0) {
        return Err(ArchiveError::Damaged("other bytes precede its first entry".to_owned()));
    }
    for (entry, next_start) in in_order.iter().zip(starts.skip(1)) {
        let place = zip.get_entry(entry.place).map_err(damaged)?;
        check_entry(zip, entry, &place, next_start, buffer)?;
    }
    Ok(())
}

fn check_entry<R: ReaderAt>(
    zip: &Zip<R>,
    entry: &Entry,
    place: &ZipEntry<'_, Spool<R>>,
    next_start: u64,
    buffer: &mut [u8],
) -> Result<(), ArchiveError> {
    let refused = |reason: &'static str| ArchiveError::entry(&entry.name, reason);
    let local = place.local_header(buffer).map_err(damaged)?;
    directory::check_flags(local.flags()).map_err(refused)?;
    directory::check_other_name(local.extra_fields(), &entry.name).map_err(refused)?;
    if local.file_path().as_ref() != entry.name || local.compression_method() != entry.method {
        return Err(refused("has another name or method in its local header"));
    }
    let in_header = Claims {
        checksum: local.crc32(),
        packed_bytes: local.compressed_size_hint(),
        bytes: local.uncompressed_size_hint(),
    };
    let (_, end) = place.compressed_data_range();
    let claims = match next_start.checked_sub(end) {
        None => return Err(refused("shares bytes with what follows it")),
        Some(0) => Some(in_header),
        Some(length) => Claims::read(zip, end, length)?,
    };
    match claims {
        None => Err(refused("is followed by bytes that belong to no entry")),
        Some(claims) if claims != Claims::of(entry) => Err(refused("has other sizes in its local header")),
        Some(_) => Ok(()),
    }
}

/// The values for an entry that a zip contains twice.
#[derive(PartialEq)]
struct Claims {
    checksum: u32,
    packed_bytes: u64,
    bytes: u64,
}

impl Claims {
    fn of(entry: &Entry) -> Self {
        Self {
            checksum: entry.checksum,
            packed_bytes: entry.place.compressed_size_hint(),
            bytes: entry.place.uncompressed_size_hint(),
        }
    }

    /// Reads the data descriptor, which follows the content if the sizes were not known before. It may have a
    /// signature, and small or large sizes; its length determines which.
    fn read(zip: &Zip<impl ReaderAt>, start: u64, length: u64) -> Result<Option<Self>, ArchiveError> {
        let mut bytes = [0; 24];
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        let Some(bytes) = bytes.get_mut(..length) else { return Ok(None) };
        zip.get_ref().read_exact_at(bytes, start).map_err(ArchiveError::of_stream)?;
        let signed = bytes.strip_prefix(b"PK\x07\x08").filter(|_| matches!(length, 16 | 24));
        Ok(Self::of_fields(signed.unwrap_or(bytes)))
    }

    fn of_fields(fields: &[u8]) -> Option<Self> {
        let (checksum, sizes) = fields.split_first_chunk()?;
        let (packed_bytes, bytes) = sizes.split_at(sizes.len() / 2);
        Some(Self {
            checksum: u32::from_le_bytes(*checksum),
            packed_bytes: number(packed_bytes)?,
            bytes: number(bytes)?,
        })
    }
}

/// Parses a number of four or eight bytes.
fn number(field: &[u8]) -> Option<u64> {
    match field.try_into() {
        Ok(narrow) => Some(u32::from_le_bytes(narrow).into()),
        Err(_) => field.try_into().ok().map(u64::from_le_bytes),
    }
}
