//! Content in a folder of the local file system.
//!
//! ```text
//! root/                              0700, like all folders below
//! ├── layout                         says that the store has one level of folders
//! ├── sha256/
//! │   ├── 00/
//! │   ├── …
//! │   └── ab/                        first two digits of the digest
//! │       └── abcd0123…              a blob, 0600: all 64 digits; complete and synced before it gets this name
//! └── tmp/
//!     └── 00000000075bcd15-2a        a running upload: instance, number
//! ```
//!
//! A store of an earlier version has no `layout`, and a second level of folders below the first: `sha256/ab/cd/abcd…`.
//! They are created when first needed.
//!
//! `tmp` is in the same file system, so that a rename moves an upload to its final name atomically. Folders are never
//! removed.

mod commit;
mod levels;
mod list;
mod map;
mod partial;
mod paths;
mod read;
mod receive;
mod sync_ahead;
mod temporary;

use std::{
    fs, io,
    os::unix::fs::DirBuilderExt,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, SystemTime},
};

use model::digest::Digest;

use self::{paths::Layout, temporary::Temporary};
use crate::{
    cleanups::TemporaryCount,
    error::Error,
    layout::{self, TemporaryNames},
    off_reactor,
    stamp::Stamp,
};

pub(crate) use self::receive::FolderPending;

/// A store in a local folder.
#[derive(Debug)]
pub(crate) struct Folder {
    root: PathBuf,
    names: TemporaryNames,
    cleanups: TemporaryCount,
    layout: Layout,
}

impl Folder {
    /// Opens the store and makes its folders durable.
    pub(crate) async fn open(root: PathBuf, names: TemporaryNames) -> Result<Self, Error> {
        off_reactor::run("opening the folder", move || {
            create_durable_folder(&root)?;
            create_folder(&root.join(layout::CONTENT))?;
            create_folder(&root.join(layout::TEMPORARY))?;
            let layout = Layout::new(levels::prepare(&root)?);
            sync_folder(&root)?;
            Ok(Self { root, names, cleanups: TemporaryCount::default(), layout })
        })
        .await
    }

    /// A store that is only read; nothing is created in it.
    pub(crate) fn existing(root: PathBuf, names: TemporaryNames) -> Self {
        Self { root, names, cleanups: TemporaryCount::default(), layout: Layout::Either }
    }

    /// Writes, syncs and removes a temporary.
    pub(crate) async fn check(self: &Arc<Self>) -> Result<(), Error> {
        let folder = Arc::clone(self);
        off_reactor::run("checking the folder", move || {
            let mut temporary = Temporary::create(&folder)?;
            temporary.write(b"probe")?;
            temporary.sync()
        })
        .await
    }

    /// The root folder of the store.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) async fn size(&self, digest: Digest) -> Result<Option<u64>, Error> {
        let path = self.blob_path(digest);
        off_reactor::run("asking for a blob's size", move || file_size(&path.find())).await
    }

    /// Returns the size and the stamp of a blob. Runs on the current thread: one look-up costs less than a switch to
    /// another thread.
    pub(crate) fn look_here(&self, digest: Digest) -> Result<Option<(u64, Stamp)>, Error> {
        look(&self.content_path(digest))
    }

    pub(crate) async fn stamp(&self, digest: Digest) -> Result<Option<Stamp>, Error> {
        let path = self.blob_path(digest);
        off_reactor::run("looking at a blob", move || Ok(look(&path.find())?.map(|(_, stamp)| stamp))).await
    }

    pub(crate) async fn delete(&self, digest: Digest) -> Result<bool, Error> {
        let path = self.content_path(digest);
        off_reactor::run("deleting a blob", move || remove_file(&path)).await
    }

    pub(crate) async fn sweep_temporaries(&self, older_than: Duration, now: SystemTime) -> Result<u64, Error> {
        let folder = self.root.join(layout::TEMPORARY);
        off_reactor::run("sweeping temporaries", move || sweep(&folder, older_than, now)).await
    }

    pub(crate) async fn wait_for_cleanups(&self) {
        self.cleanups.wait_for_cleanups().await;
    }
}

/// Returns the size of a file; `None` if it does not exist.
fn file_size(path: &Path) -> Result<Option<u64>, Error> {
    Ok(look(path)?.map(|(size, _)| size))
}

/// Returns the size and the stamp of a file; `None` if it does not exist.
fn look(path: &Path) -> Result<Option<(u64, Stamp)>, Error> {
    match fs::metadata(path) {
        Ok(metadata) => Ok(Some((metadata.len(), Stamp::of_file(&metadata)))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(failed("asking for the size of", path, error)),
    }
}

/// Removes a file. Returns whether it existed.
fn remove_file(path: &Path) -> Result<bool, Error> {
    match fs::remove_file(path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(failed("removing", path, error)),
    }
}

fn create_folder(path: &Path) -> Result<(), Error> {
    let created = fs::DirBuilder::new().recursive(true).mode(0o700).create(path);
    created.map_err(|error| failed("creating", path, error))
}

/// Creates a folder and syncs every folder that got a new entry.
fn create_durable_folder(path: &Path) -> Result<(), Error> {
    // The last ancestor of a relative path is empty and means the working directory.
    let ancestors = path.ancestors().skip(1);
    let ancestors = ancestors.map(|ancestor| if ancestor.as_os_str().is_empty() { Path::new(".") } else { ancestor });
    let missing = ancestors.clone().take_while(|ancestor| !ancestor.exists()).count();
    create_folder(path)?;
    ancestors.take(missing + 1).try_for_each(sync_folder)
}

/// Syncs a folder, so that its entries survive a power failure.
fn sync_folder(path: &Path) -> Result<(), Error> {
    let synced = fs::File::open(path).and_then(|folder| folder.sync_all());
    synced.map_err(|error| failed("syncing", path, error))
}

fn sweep(folder: &Path, older_than: Duration, now: SystemTime) -> Result<u64, Error> {
    let mut removed = 0;
    for entry in fs::read_dir(folder).map_err(|error| failed("listing", folder, error))? {
        let path = entry.map_err(|error| failed("listing", folder, error))?.path();
        // An upload that ends in the meantime removes its temporary itself.
        let Ok(modified) = fs::metadata(&path).and_then(|metadata| metadata.modified()) else { continue };
        let is_old = now.duration_since(modified).is_ok_and(|age| age > older_than);
        if is_old && remove_file(&path)? {
            removed += 1;
        }
    }
    Ok(removed)
}

fn failed(doing: &str, path: &Path, error: io::Error) -> Error {
    Error::io(format!("{doing} `{}`", path.display()), error)
}
