//! Reads single members of a zip, without unpacking the others.

use std::{
    collections::HashMap,
    io::{Read, Seek},
};

use super::{Zip, content, damaged, directory::Entry, open, spool::Seeking};
use crate::storage::archive::ArchiveError;
use model::file_path::FilePath;

/// A zip whose directory is read and checked.
pub struct ZipFile<R> {
    zip: Zip<Seeking<R>>,
    files: HashMap<String, Entry>,
}

impl<R> std::fmt::Debug for ZipFile<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ZipFile").field("files", &self.files.len()).finish_non_exhaustive()
    }
}

impl<R: Read + Seek> ZipFile<R> {
    /// Reads the directory of a zip with at most this many entries and checks it by the rules for archives: entries do
    /// not overlap, no name appears in it twice, and local headers agree with the directory.
    pub fn open(reader: R, size_bytes: u64, most_entries: usize) -> Result<Self, ArchiveError> {
        let mut seen = 0;
        let mut enter = |name: &[u8]| {
            seen += 1;
            if seen > most_entries {
                return Err(ArchiveError::TooManyEntries { limit: most_entries });
            }
            path_of(name).map_err(|reason| ArchiveError::entry(name, reason))
        };
        let (zip, directory) = open(Seeking::new(reader), size_bytes, most_entries, &mut enter)?;
        let mut files = HashMap::with_capacity(directory.entries.len());
        for entry in directory.entries.into_iter().filter(|entry| entry.path.is_some()) {
            let name = String::from_utf8_lossy(&entry.name).into_owned();
            if let Some(first) = files.insert(name, entry) {
                return Err(ArchiveError::entry(&first.name, "appears in the archive twice"));
            }
        }
        Ok(Self { zip, files })
    }

    /// The names of all files, in no particular order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// The sizes of a file, packed and unpacked.
    pub fn sizes(&self, name: &str) -> Option<(u64, u64)> {
        let place = self.files.get(name)?.place;
        Some((place.compressed_size_hint(), place.uncompressed_size_hint()))
    }

    /// Reads a file of at most this many bytes; `None` if no file has this name.
    pub fn read(&self, name: &str, most_bytes: u64) -> Result<Option<Vec<u8>>, ArchiveError> {
        let Some(entry) = self.files.get(name) else { return Ok(None) };
        let place = self.zip.get_entry(entry.place).map_err(damaged)?;
        let mut bytes = Vec::new();
        let mut reader = content(entry, &place).take(most_bytes.saturating_add(1));
        reader.read_to_end(&mut bytes).map_err(|error| ArchiveError::of_content(&entry.name, error))?;
        if bytes.len() as u64 > most_bytes {
            return Err(ArchiveError::entry(&entry.name, format!("is larger than {most_bytes} bytes")));
        }
        Ok(Some(bytes))
    }
}

/// Returns the path of a file, or `None` for a folder, whose name ends with `/`.
fn path_of(name: &[u8]) -> Result<Option<FilePath>, String> {
    let Ok(name) = str::from_utf8(name) else {
        return Err("has a name that is not UTF-8".to_owned());
    };
    let path = FilePath::parse(name.strip_suffix('/').unwrap_or(name))
        .map_err(|error| format!("has a path that is not allowed: {}", error.reason))?;
    Ok((!name.ends_with('/')).then_some(path))
}
