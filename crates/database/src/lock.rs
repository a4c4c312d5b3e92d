//! One process at a time on an embedded database.

use std::{fs::File, path::Path};

use crate::{Error, Result};

/// The sign that a process uses an embedded database.
pub struct Lock {
    _file: File,
}

impl Lock {
    pub(crate) fn take(database: &Path) -> Result<Lock> {
        let path = database.with_extension("lock");
        let file = File::options().create(true).truncate(false).write(true).open(&path);
        let file = file.map_err(|error| Error::Broken(format!("{}: {error}", path.display())))?;
        match file.try_lock() {
            Ok(()) => Ok(Lock { _file: file }),
            Err(std::fs::TryLockError::WouldBlock) => Err(Error::InUse(database.display().to_string())),
            Err(std::fs::TryLockError::Error(error)) => Err(Error::Broken(format!("{}: {error}", path.display()))),
        }
    }
}
