//! A lock that allows one process at a time on an embedded database.

use std::{
    fs::{File, TryLockError},
    path::{Path, PathBuf},
    time::Duration,
};

use crate::{Error, Result};

/// The number of attempts: a process that only checks the lock holds it for a moment.
const ATTEMPTS: u32 = 5;
const PAUSE: Duration = Duration::from_millis(10);

/// The lock of the process that uses an embedded database.
pub struct ProcessLock {
    _file: File,
}

impl ProcessLock {
    pub(crate) fn take(database: &Path) -> Result<ProcessLock> {
        for _ in 0..ATTEMPTS {
            if let Some(file) = try_lock(&of(database))? {
                return Ok(ProcessLock { _file: file });
            }
            std::thread::sleep(PAUSE);
        }
        Err(Error::InUse(database.display().to_string()))
    }

    /// Returns whether a process holds the lock.
    pub(crate) fn is_taken(database: &Path) -> bool {
        let Ok(file) = File::open(of(database)) else { return false };
        matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock))
    }
}

fn of(database: &Path) -> PathBuf {
    database.with_extension("lock")
}

/// Locks a file until it is closed, and creates it if it is missing; `None` if another process holds the lock.
pub(crate) fn try_lock(path: &Path) -> Result<Option<File>> {
    let broken = |error| Error::Broken(format!("{}: {error}", path.display()));
    let file = File::options().create(true).truncate(false).write(true).open(path).map_err(broken)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(broken(error)),
    }
}
