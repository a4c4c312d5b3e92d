//! Tar archives with the same bytes for the same files: in order, with one date and owners by number.

use std::collections::BTreeSet;
use std::io::Write;

use flate2::{Compression, GzBuilder};
use xtask::failure::{Attempt, Failure, Result};

use crate::Release;

/// The owner of what the server writes in the image; the same number as in the Containerfile.
pub(crate) const IMAGE_USER: u64 = 10_001;

/// A file or a folder of an archive.
pub(crate) struct Entry {
    /// The path, without a slash at its beginning. A path of a folder ends in a slash.
    path: String,
    mode: u32,
    owner: u64,
    bytes: Vec<u8>,
}

impl Entry {
    /// A file that everyone may read.
    pub(crate) fn file(path: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Self { path: path.into(), mode: 0o644, owner: 0, bytes: bytes.into() }
    }

    /// A file that everyone may run.
    pub(crate) fn program(path: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Self { mode: 0o755, ..Self::file(path, bytes) }
    }

    /// A folder.
    pub(crate) fn folder(path: &str, mode: u32, owner: u64) -> Self {
        Self { path: format!("{path}/"), mode, owner, bytes: Vec::new() }
    }
}

/// Returns an archive of these entries and of the folders above them. Each path begins with `prefix`.
pub(crate) fn tar(release: &Release, prefix: &str, mut entries: Vec<Entry>) -> Result<Vec<u8>> {
    for folder in folders(&entries) {
        entries.push(Entry::folder(&folder, 0o755, 0));
    }
    entries.sort_by(|left, right| left.path.cmp(&right.path));
    let mut archive = tar::Builder::new(Vec::new());
    for entry in &entries {
        let mut header = tar::Header::new_gnu();
        let is_folder = entry.path.ends_with('/');
        header.set_entry_type(if is_folder { tar::EntryType::Directory } else { tar::EntryType::Regular });
        header.set_mode(entry.mode);
        header.set_uid(entry.owner);
        header.set_gid(entry.owner);
        header.set_mtime(release.epoch.into());
        header.set_size(entry.bytes.len() as u64);
        set_path(&mut header, &format!("{prefix}{}", entry.path))?;
        archive.append(&header, entry.bytes.as_slice()).attempt("cannot write an archive")?;
    }
    archive.into_inner().attempt("cannot write an archive")
}

/// Writes a path into a header as it is: the crate would leave out the `./` of Debian's archives.
fn set_path(header: &mut tar::Header, path: &str) -> Result<()> {
    let name = &mut header.as_gnu_mut().expect("a GNU header").name;
    let field = name.get_mut(..path.len()).ok_or_else(|| Failure::new(format!("{path} is too long for an archive")))?;
    field.copy_from_slice(path.as_bytes());
    header.set_cksum();
    Ok(())
}

/// Returns the folders above entries that are not entries themselves.
fn folders(entries: &[Entry]) -> BTreeSet<String> {
    let above = |path: &str| -> Vec<String> {
        let path = path.trim_end_matches('/');
        path.match_indices('/').map(|(at, _)| path[..at].to_owned()).collect()
    };
    let mut folders: BTreeSet<String> = entries.iter().flat_map(|entry| above(&entry.path)).collect();
    for entry in entries {
        folders.remove(entry.path.trim_end_matches('/'));
    }
    folders
}

/// Compresses bytes, without a name and a date.
pub(crate) fn gzip(release: &Release, bytes: &[u8]) -> Result<Vec<u8>> {
    let level = if release.is_quick { Compression::fast() } else { Compression::best() };
    let mut compressed = GzBuilder::new().mtime(0).write(Vec::new(), level);
    compressed.write_all(bytes).and_then(|()| compressed.finish()).attempt("cannot compress")
}
