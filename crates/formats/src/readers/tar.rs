//! The entries of a tar.gz.

#[cfg(test)]
mod tests;

use std::{
    collections::BTreeSet,
    io::{self, Read},
};

use operations::storage::archive::{
    ArchiveError,
    tar::{Tape, TarEntry},
};

use super::{Content, Limits, gzip, quoted};

/// A file whose content was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TarFile {
    /// Its path below the top folder.
    pub path: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// The interest of a reader in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interest {
    /// Nothing.
    Nothing,
    /// Its presence.
    Presence,
    /// Its content.
    Content,
}

/// The result of reading a whole tar.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TarScan {
    /// The folder at the top, which all entries share.
    pub top: String,
    /// The files that were asked for, in the order of the archive.
    pub files: Vec<TarFile>,
    /// The paths of files whose presence was asked for.
    pub present: Vec<String>,
    /// The number of all files.
    pub file_count: u64,
    /// The size of all files.
    pub unpacked_bytes: u64,
}

/// Reads a whole tar.gz with a single top folder and returns the files that `wants` selects by their path below that
/// folder. A file whose content is wanted must be a plain file and appear in the archive once.
pub fn scan(content: &mut dyn Content, limits: &Limits, wants: &dyn Fn(&str) -> Interest) -> Result<TarScan, String> {
    scan_tape(Tape::new(gzip::open(content, limits)?), limits, wants).map_err(|error| error.to_string())
}

fn scan_tape(
    mut tape: Tape<impl Read>,
    limits: &Limits,
    wants: &dyn Fn(&str) -> Interest,
) -> Result<TarScan, ArchiveError> {
    let mut scan = TarScan::default();
    let mut tops = BTreeSet::new();
    let mut seen = 0;
    while let Some(entry) = tape.next_entry_of_any_type()? {
        seen += 1;
        if seen > limits.entries {
            return Err(ArchiveError::TooManyEntries { limit: limits.entries });
        }
        let path = path_of(&entry)?;
        let (top, below) = path.split_once('/').unwrap_or((&path, ""));
        if !top.is_empty() && tops.insert(top.to_owned()) && tops.len() > 1 {
            return Err(refused(&entry, "is not in the same top folder as the others"));
        }
        let interest = wants(below);
        check_type(&entry, interest == Interest::Content)?;
        if interest == Interest::Presence {
            scan.present.push(below.to_owned());
        }
        if interest == Interest::Content {
            let bytes = read_member(&mut tape, &entry, limits)?;
            scan.add(&entry, below, bytes)?;
        } else {
            io::copy(&mut tape.content(entry.size_bytes), &mut io::sink()).map_err(ArchiveError::of_stream)?;
        }
        tape.skip_padding(entry.size_bytes)?;
        if entry.refusal.is_none() && !entry.name.ends_with(b"/") {
            scan.file_count += 1;
            scan.unpacked_bytes += entry.size_bytes;
        }
    }
    // The checksum of the compression is at its end.
    io::copy(tape.stream(), &mut io::sink()).map_err(ArchiveError::of_stream)?;
    scan.top = tops.pop_first().ok_or(ArchiveError::Empty)?;
    Ok(scan)
}

impl TarScan {
    fn add(&mut self, entry: &TarEntry, path: &str, bytes: Vec<u8>) -> Result<(), ArchiveError> {
        if self.files.iter().any(|file| file.path.eq_ignore_ascii_case(path)) {
            return Err(refused(entry, "appears in the archive twice"));
        }
        self.files.push(TarFile { path: path.to_owned(), bytes });
        Ok(())
    }

    /// Removes a file that was read and returns its content.
    pub fn take(&mut self, path: &str) -> Option<Vec<u8>> {
        let position = self.files.iter().position(|file| file.path == path)?;
        Some(self.files.remove(position).bytes)
    }
}

/// Links and devices have no content, and no file that is needed may be one.
fn check_type(entry: &TarEntry, is_wanted: bool) -> Result<(), ArchiveError> {
    let is_folder = entry.name.ends_with(b"/");
    match entry.refusal {
        Some(reason) if is_wanted => Err(refused(entry, reason)),
        Some(reason) if entry.size_bytes > 0 => Err(refused(entry, &format!("{reason} with content"))),
        None if is_folder && is_wanted => Err(refused(entry, "is a folder")),
        None if is_folder && entry.size_bytes > 0 => Err(refused(entry, "is a folder with content")),
        _ => Ok(()),
    }
}

fn read_member(tape: &mut Tape<impl Read>, entry: &TarEntry, limits: &Limits) -> Result<Vec<u8>, ArchiveError> {
    if entry.size_bytes > limits.member_bytes {
        return Err(refused(entry, &format!("is larger than {} bytes", limits.member_bytes)));
    }
    let mut bytes = Vec::new();
    tape.content(entry.size_bytes).read_to_end(&mut bytes).map_err(ArchiveError::of_stream)?;
    Ok(bytes)
}

/// Returns the path as every reader sees it: without empty and `.` segments.
fn path_of(entry: &TarEntry) -> Result<String, ArchiveError> {
    let name = str::from_utf8(&entry.name).map_err(|_| refused(entry, "has a name that is not UTF-8"))?;
    if name.starts_with('/') || name.contains('\0') || name.split('/').any(|segment| segment == "..") {
        return Err(refused(entry, "has a path that is not allowed"));
    }
    let segments: Vec<&str> = name.split('/').filter(|segment| !matches!(*segment, "" | ".")).collect();
    Ok(segments.join("/"))
}

fn refused(entry: &TarEntry, reason: &str) -> ArchiveError {
    ArchiveError::Entry { entry: quoted(&String::from_utf8_lossy(&entry.name)), reason: reason.to_owned() }
}
