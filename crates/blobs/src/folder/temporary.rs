//! A file that exists only during its upload.

use std::{
    fs::{File, OpenOptions},
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
};

use nix::sys::statvfs::fstatvfs;

use super::{Folder, failed, remove_file, sync_ahead::SyncAhead};
use crate::{cleanups, error::Error, layout, off_reactor};

/// Free disk space that content never uses. The database may be on the same disk, and has to write rows to delete
/// anything.
const RESERVE_BYTES: u64 = 16 << 20;

/// A temporary file, removed when dropped.
#[derive(Debug)]
pub(super) struct Temporary {
    file: File,
    path: PathBuf,
    /// Present until the file is renamed or removed.
    guard: Option<cleanups::TemporaryGuard>,
    is_synced: AtomicBool,
    ahead: SyncAhead,
}

impl Temporary {
    pub(super) fn create(folder: &Folder) -> Result<Self, Error> {
        let path = folder.root.join(layout::TEMPORARY).join(folder.names.next());
        let created = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path);
        let file = created.map_err(|error| failed("creating", &path, error))?;
        Ok(Self {
            file,
            path,
            guard: Some(folder.cleanups.count_one()),
            is_synced: AtomicBool::new(false),
            ahead: SyncAhead::default(),
        })
    }

    /// Creates it with a whole body.
    pub(super) fn with(folder: &Folder, body: &[u8]) -> Result<Self, Error> {
        let mut temporary = Self::create(folder)?;
        temporary.write_body(body)?;
        Ok(temporary)
    }

    /// Takes over a file that outlived its requests.
    pub(super) fn adopt(folder: &Folder, file: File, path: PathBuf) -> Self {
        Self {
            file,
            path,
            guard: Some(folder.cleanups.count_one()),
            is_synced: AtomicBool::new(false),
            ahead: SyncAhead::default(),
        }
    }

    /// Writes a piece of a body, unless that would use the reserved space.
    pub(super) fn write_body(&mut self, piece: &[u8]) -> Result<(), Error> {
        write_body(&mut self.file, &self.path, piece)?;
        self.ahead.wrote(&self.path, piece.len());
        Ok(())
    }

    pub(super) fn write(&mut self, piece: &[u8]) -> Result<(), Error> {
        self.file.write_all(piece).map_err(|error| failed("writing", &self.path, error))
    }

    /// Syncs the file, so that its bytes survive a power failure.
    pub(super) fn sync(&self) -> Result<(), Error> {
        if !self.is_synced.load(Ordering::Acquire) {
            sync(&self.file, &self.path)?;
            self.is_synced.store(true, Ordering::Release);
        }
        Ok(())
    }

    /// Does the same on another thread. Nothing may be written afterwards.
    pub(super) async fn sync_early(&self) -> Result<(), Error> {
        let (file, path) = (self.file.try_clone(), self.path.clone());
        let file = file.map_err(|error| failed("opening", &path, error))?;
        off_reactor::run("syncing a body", move || sync(&file, &path)).await?;
        self.is_synced.store(true, Ordering::Release);
        Ok(())
    }

    /// Gives the file its final name.
    pub(super) fn rename(mut self, to: &Path) -> Result<(), Error> {
        std::fs::rename(&self.path, to).map_err(|error| failed("renaming to", to, error))?;
        self.guard = None;
        Ok(())
    }
}

fn sync(file: &File, path: &Path) -> Result<(), Error> {
    file.sync_data().map_err(|error| failed("syncing", path, error))
}

/// Writes a piece of a body, unless that would use the reserved space.
pub(super) fn write_body(file: &mut File, path: &Path, piece: &[u8]) -> Result<(), Error> {
    let disk = fstatvfs(&*file).map_err(|error| failed("reading the free space of", path, error.into()))?;
    let free_bytes = disk.blocks_available().saturating_mul(disk.fragment_size());
    // A file system that reports no size does not report its free space either.
    if disk.blocks() > 0 && free_bytes < RESERVE_BYTES + piece.len() as u64 {
        return Err(failed("writing", path, io::ErrorKind::StorageFull.into()));
    }
    file.write_all(piece).map_err(|error| failed("writing", path, error))
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let Some(guard) = self.guard.take() else { return };
        let path = std::mem::take(&mut self.path);
        let remove = move || {
            if let Err(error) = remove_file(&path) {
                tracing::warn!(%error, "removing a temporary failed; the next sweep removes it");
            }
            drop(guard);
        };
        // Removing a large file takes time, and a drop may happen on a reactor thread.
        match tokio::runtime::Handle::try_current() {
            Ok(runtime) => drop(runtime.spawn_blocking(remove)),
            Err(_) => remove(),
        }
    }
}
