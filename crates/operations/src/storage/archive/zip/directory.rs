//! The central directory of a zip.

use model::file_path::FilePath;
use rawzip::{
    CompressionMethod, CreatorSystem, EntryFlags, ReaderAt, ZipArchiveEntryWayfinder, ZipFileHeaderRecord,
    extra_fields::{ExtraFieldId, ExtraFields},
};

use super::{Zip, damaged};
use crate::storage::archive::ArchiveError;

/// The file types in Unix modes.
const UNIX_TYPE: u32 = 0o170_000;
const UNIX_FILE: u32 = 0o100_000;
const UNIX_FOLDER: u32 = 0o040_000;

/// The reason to refuse a directory whose number of entries is wrong.
pub(super) const OTHER_LENGTH: &str = "its directory has another length than it says";

/// One record of the directory. The names are already checked to be short, so ten thousand of these are small.
pub(super) struct Entry {
    pub(super) name: Vec<u8>,
    /// `None` for a folder.
    pub(super) path: Option<FilePath>,
    pub(super) method: CompressionMethod,
    pub(super) checksum: u32,
    pub(super) header_offset: u64,
    pub(super) place: ZipArchiveEntryWayfinder,
}

/// The whole directory.
pub(super) struct Directory {
    pub(super) entries: Vec<Entry>,
    pub(super) size_bytes: u64,
}

/// Accepts an entry by its name and returns the path of a file, or `None` for a folder.
pub(super) type Enter<'a> = dyn FnMut(&[u8]) -> Result<Option<FilePath>, ArchiveError> + 'a;

/// Reads all entries and rejects kinds that are not accepted.
pub(super) fn read(
    zip: &Zip<impl ReaderAt>,
    buffer: &mut [u8],
    enter: &mut Enter<'_>,
) -> Result<Directory, ArchiveError> {
    let mut directory = Directory { entries: Vec::new(), size_bytes: 0 };
    let mut records = zip.entries(buffer);
    while let Some(record) = records.next_entry().map_err(damaged)? {
        if directory.entries.len() as u64 == zip.entries_hint() {
            return Err(ArchiveError::Damaged(OTHER_LENGTH.to_owned()));
        }
        let name = record.file_path();
        let path = enter(name.as_ref())?;
        check(&record, path.is_none()).map_err(|reason| ArchiveError::entry(name.as_ref(), reason))?;
        directory.size_bytes += size_bytes(&record);
        directory.entries.push(Entry {
            name: name.as_ref().to_vec(),
            path,
            method: record.compression_method(),
            checksum: record.crc32(),
            header_offset: record.local_header_offset(),
            place: record.wayfinder(),
        });
    }
    Ok(directory)
}

/// The length of the record itself: 46 bytes and three fields.
fn size_bytes(record: &ZipFileHeaderRecord) -> u64 {
    let (name, extra, comment) = (record.file_path(), record.extra_fields(), record.comment());
    let fields = [name.as_ref().len(), extra.remaining_bytes().len(), comment.as_bytes().len()];
    46 + fields.iter().sum::<usize>() as u64
}

fn check(record: &ZipFileHeaderRecord, is_folder: bool) -> Result<(), &'static str> {
    check_type(record, is_folder)?;
    check_flags(record.flags())?;
    check_other_name(record.extra_fields(), record.file_path().as_ref())?;
    match record.compression_method() {
        CompressionMethod::AES => Err("is encrypted"),
        CompressionMethod::STORE | CompressionMethod::DEFLATE => Ok(()),
        _ => Err("is compressed in a way that is not supported"),
    }
}

fn check_type(record: &ZipFileHeaderRecord, is_folder: bool) -> Result<(), &'static str> {
    let is_unix = matches!(record.version_made_by().creator_system(), CreatorSystem::UNIX | CreatorSystem::MACOS);
    let unix_type = if is_unix { (record.external_attributes() >> 16) & UNIX_TYPE } else { 0 };
    match (unix_type, is_folder) {
        (0 | UNIX_FOLDER, true) if record.uncompressed_size_hint() > 0 => Err("is a folder with content"),
        (0 | UNIX_FOLDER, true) | (0 | UNIX_FILE, false) => Ok(()),
        (0o120_000, _) => Err("is a symbolic link"),
        _ => Err("is neither a file nor a folder"),
    }
}

/// Rejects forbidden flags of an entry, here or in its local header.
pub(super) fn check_flags(flags: EntryFlags) -> Result<(), &'static str> {
    if flags.is_encrypted() || flags.has_strong_encryption() || flags.is_masked() {
        return Err("is encrypted");
    }
    Ok(())
}

/// Checks the name in an extra field, which some readers prefer, so it must be the same. Five bytes of the field
/// precede it.
pub(super) fn check_other_name(fields: ExtraFields, name: &[u8]) -> Result<(), &'static str> {
    let mut others = fields.filter(|(id, _)| *id == ExtraFieldId::INFO_ZIP_UNICODE_PATH);
    if others.all(|(_, field)| field.get(5..) == Some(name)) { Ok(()) } else { Err("has two names") }
}
