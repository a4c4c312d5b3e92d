//! The records at the end of a zip. Readers find the directory by its start, by its length or by its end, in records of
//! two widths: only if all of them agree do all readers find the same directory.

use std::io;

use rawzip::ReaderAt;

use super::{
    Zip,
    directory::{Directory, OTHER_LENGTH},
};
use crate::storage::archive::ArchiveError;

/// The length of the record that locates the wide end record.
const WIDE_LOCATOR_BYTES: u64 = 20;

/// Checks the end records against the directory.
pub(super) fn check(zip: &Zip<impl ReaderAt>, directory: &Directory) -> Result<(), ArchiveError> {
    let (start, size_bytes) = (zip.directory_offset(), directory.size_bytes);
    let real = Claims { start, size_bytes, end: start + size_bytes };
    let claims = claims(zip).map_err(ArchiveError::of_stream)?;
    let damaged = |reason: &str| Err(ArchiveError::Damaged(reason.to_owned()));
    if claims != real {
        return damaged("its directory is not where its end says");
    }
    if zip.entries_hint() != directory.entries.len() as u64 {
        return damaged(OTHER_LENGTH);
    }
    if zip.end_offset() != zip.get_ref().size_bytes {
        return damaged("other bytes follow its end");
    }
    Ok(())
}

/// The values of an end record for the directory, which ends where the record begins.
#[derive(PartialEq)]
struct Claims {
    start: u64,
    size_bytes: u64,
    end: u64,
}

/// Returns the values of the wide record, or of the narrow one if it is the only one. If both exist, the library has
/// compared them: where they differ it uses the narrow one, whose directory then contains the wide one and is rejected
/// for that.
fn claims(zip: &Zip<impl ReaderAt>) -> io::Result<Claims> {
    let (spool, offset) = (zip.get_ref(), zip.eocd_offset());
    if let Some(locator) = offset.checked_sub(WIDE_LOCATOR_BYTES)
        && spool.bytes_at(locator)? == *b"PK\x06\x07"
    {
        let end = u64::from_le_bytes(spool.bytes_at(locator + 8)?);
        let field = |place: u64| spool.bytes_at(end.saturating_add(place)).map(u64::from_le_bytes);
        return Ok(Claims { start: field(48)?, size_bytes: field(40)?, end });
    }
    let field = |place: u64| spool.bytes_at(offset + place).map(u32::from_le_bytes).map(u64::from);
    Ok(Claims { start: field(16)?, size_bytes: field(12)?, end: offset })
}
