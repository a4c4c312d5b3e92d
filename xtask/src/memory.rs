//! A folder in memory for what tests and their servers write: most of their time would be waits for the disk.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use nix::sys::statvfs::statvfs;
use tempfile::TempDir;

use crate::failure::{Attempt, Result};

/// Linux keeps the files of this folder in memory.
const FOLDER: &str = "/dev/shm";

/// The free space that a run needs there; without it, the tests write to the disk.
const NEEDED: u64 = 8 << 30;

/// Makes a folder for the temporary files of tests, in memory if there is room. `TMPDIR` overrides it.
pub(crate) fn folder() -> Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    // Root gives PostgreSQL's folder to another user, who needs access through this folder.
    let builder = builder.prefix("packhouse-").permissions(Permissions::from_mode(0o711));
    let is_chosen = std::env::var_os("TMPDIR").is_some();
    let folder = if !is_chosen && free_space(Path::new(FOLDER)) >= NEEDED {
        builder.tempdir_in(FOLDER)
    } else {
        builder.tempdir()
    };
    folder.attempt("cannot create a temporary folder")
}

fn free_space(folder: &Path) -> u64 {
    statvfs(folder).map_or(0, |free| free.blocks_available() * free.fragment_size())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_space_is_read_and_a_folder_that_is_missing_has_none() {
        assert!(free_space(Path::new("/")) > 0);
        assert_eq!(free_space(Path::new("/no such folder")), 0);
    }
}
