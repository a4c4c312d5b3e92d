//! One process at a time on an embedded database.

use std::{
    fs::{File, TryLockError},
    path::Path,
};

use crate::{Error, Result};

/// The sign that a process uses an embedded database.
pub struct Lock {
    _file: File,
}

impl Lock {
    pub(crate) fn take(database: &Path) -> Result<Lock> {
        match try_lock(&database.with_extension("lock"))? {
            Some(file) => Ok(Lock { _file: file }),
            None => Err(Error::InUse(database.display().to_string())),
        }
    }
}

/// Locks a file until it is closed, and makes it where it is missing; `None` when somebody else has it.
pub(crate) fn try_lock(path: &Path) -> Result<Option<File>> {
    let broken = |error| Error::Broken(format!("{}: {error}", path.display()));
    let file = File::options().create(true).truncate(false).write(true).open(path).map_err(broken)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(broken(error)),
    }
}
