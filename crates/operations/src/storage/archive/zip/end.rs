//! The records at the end of a zip. Readers find the directory by its start, by its length or by where it ends, in
//! records of two widths: only when all of them agree does everybody find the same one.

use std::io;

use super::{Zip, directory::Directory};
use crate::storage::archive::ArchiveError;

/// The length of the record that says where the wide end record is.
const WIDE_LOCATOR_BYTES: u64 = 20;

/// Holds the end against the directory that was read.
pub(super) fn check(zip: &Zip, directory: &Directory) -> Result<(), ArchiveError> {
    let (start, size_bytes) = (zip.directory_offset(), directory.size_bytes);
    let real = Claims { start, size_bytes, end: start + size_bytes };
    let claims = claims(zip).map_err(ArchiveError::of_stream)?;
    let damaged = |reason: &str| Err(ArchiveError::Damaged(reason.to_owned()));
    if claims != real {
        return damaged("its directory is not where its end says");
    }
    if zip.entries_hint() != directory.entries.len() as u64 {
        return damaged("its directory has another length than it says");
    }
    if zip.end_offset() != zip.get_ref().size_bytes {
        return damaged("other bytes follow its end");
    }
    Ok(())
}

/// What an end record says about the directory, which ends where the record begins.
#[derive(PartialEq)]
struct Claims {
    start: u64,
    size_bytes: u64,
    end: u64,
}

/// What the wide record says, or the narrow one where there is no other. When there are two, the library has compared
/// them: where they differ it goes by the narrow one, whose directory then holds the wide one and is refused for it.
fn claims(zip: &Zip) -> io::Result<Claims> {
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
