//! The files of a backup, except its content.

use std::{
    fmt, fs, io,
    io::{Read, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
};

use model::digest::hex;
use sha2::{Digest, Sha256};

use crate::{Error, Result};

/// The prefix and the suffix of the names of files with rows.
const DATABASE: (&str, &str) = ("packhouse-", ".db");

/// Creates a folder that only its owner can access.
pub(super) fn make_folder(folder: &Path) -> Result<()> {
    let made = fs::DirBuilder::new().recursive(true).mode(0o700).create(folder);
    made.map_err(|error| problem(folder, &error))
}

/// Returns the name of the file with the rows of this time.
pub(super) fn database_name(moment: &str) -> String {
    let digits: String = moment.chars().filter(char::is_ascii_alphanumeric).collect();
    format!("{}{digits}{}", DATABASE.0, DATABASE.1)
}

/// Removes the rows of earlier backups, and remains of interrupted ones.
pub(super) fn remove_other_databases(folder: &Path, kept: &str) -> Result<()> {
    let failed = |error: io::Error| problem(folder, &error);
    for entry in fs::read_dir(folder).map_err(failed)? {
        let name = entry.map_err(failed)?.file_name();
        let is_database = |name: &str| name.starts_with(DATABASE.0) && name.contains(DATABASE.1) && name != kept;
        if name.to_str().is_some_and(is_database) {
            fs::remove_file(folder.join(&name)).map_err(failed)?;
        }
    }
    Ok(())
}

/// The SHA-256 of a file.
pub(super) fn sha256(path: &Path) -> Result<String> {
    let failed = |error: io::Error| problem(path, &error);
    let mut file = fs::File::open(path).map_err(failed)?;
    let (mut hash, mut piece) = (Sha256::new(), vec![0; 1 << 20]);
    loop {
        match file.read(&mut piece).map_err(failed)? {
            0 => return Ok(hex(&hash.finalize())),
            count => hash.update(&piece[..count]),
        }
    }
}

/// Atomically writes a file that only its owner can read: the file has either its old or its new content.
pub(super) fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    let written = (|| {
        let new = path.with_extension("new");
        let mut file = fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&new)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&new, path)?;
        fs::File::open(folder_of(path))?.sync_all()
    })();
    written.map_err(|error: io::Error| problem(path, &error))
}

fn folder_of(path: &Path) -> PathBuf {
    path.parent().filter(|folder| *folder != Path::new("")).map_or_else(|| PathBuf::from("."), Path::to_owned)
}

pub(super) fn problem(path: &Path, reason: &dyn fmt::Display) -> Error {
    Error::Internal(format!("{}: {reason}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_names_a_file() {
        assert_eq!(database_name("2026-01-15T12:00:00.000Z"), "packhouse-20260115T120000000Z.db");
    }
}
