//! Archives that must be accepted, and archives that must not. Every rejection is checked by its message, so that none
//! happens for a different reason than the one under test.

mod bombs;
mod damage;
mod make;
mod samples;
mod tars;
mod trees;
mod visitors;
mod zip_layout;
mod zips;

use std::io::{Seek, Write};

use super::{Archive, ArchiveError, Limits};

/// The files of an archive: path and content.
type Files = Vec<(String, Vec<u8>)>;

fn files(archive: &[u8]) -> Files {
    read(archive, Limits::default()).expect("a good archive")
}

fn refusal(archive: &[u8]) -> String {
    read(archive, Limits::default()).expect_err("a bad archive").to_string()
}

fn read(archive: &[u8], limits: Limits) -> Result<Files, ArchiveError> {
    let mut files = Files::new();
    open(archive, limits)?.each(|path, content| {
        let mut bytes = Vec::new();
        // The archive's own error must be returned, regardless of how the visitor handles it.
        let _ = content.read_to_end(&mut bytes);
        files.push((path.as_str().to_owned(), bytes));
        Ok::<_, ArchiveError>(())
    })?;
    Ok(files)
}

fn open(archive: &[u8], limits: Limits) -> Result<Archive, ArchiveError> {
    let mut file = tempfile::tempfile().expect("a file");
    file.write_all(archive).expect("written");
    file.rewind().expect("seekable");
    Archive::open(file, limits)
}

fn file(path: &str, content: impl AsRef<[u8]>) -> (String, Vec<u8>) {
    (path.to_owned(), content.as_ref().to_vec())
}
