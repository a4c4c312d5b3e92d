//! Gives a received body its final name.

use std::{
    fs::File,
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
};

use model::digest::Digest;

use super::{Folder, create_folder, look, paths::Layout, receive::Source, sync_folder, temporary::Temporary};
use crate::{error::Error, hashes::Checksums, layout::Levels, stamp::Stamp};

impl Folder {
    /// Makes a blob durable: bytes first, then the name, then the folders that contain the name.
    ///
    /// Replaces an existing file without looking at it: its bytes may be damaged, and the duration must not reveal that
    /// the blob existed. With one level of folders, there is nothing to create either.
    pub(super) fn commit(&self, source: Source, sums: Checksums) -> Result<Stamp, Error> {
        let path = self.content_path(sums.sha256);
        self.create_folders(sums.sha256)?;
        let temporary = match source {
            Source::File(temporary) => temporary,
            Source::Memory(bytes) => Temporary::with(self, &bytes)?,
        };
        temporary.sync()?;
        let _replaced = self.open_replaced(&path);
        temporary.rename(&path)?;
        self.sync_folders(sums.sha256)?;
        match look(&path)? {
            Some((_, stamp)) => Ok(stamp),
            // A collector was faster; the caller finds the row removed, too.
            None => Err(Error::Unavailable {
                doing: format!("looking at `{}`", path.display()),
                source: "it was removed meanwhile".into(),
            }),
        }
    }

    /// Opens the file that a commit replaces, if there is one, so that the file system frees it after the commit and the
    /// commit of new content does not take less time.
    ///
    /// Not with two levels, where the commit of new content takes more time already.
    fn open_replaced(&self, path: &Path) -> ReplacedFile {
        ReplacedFile(if self.layout.has(Levels::One) { File::open(path).ok() } else { None })
    }

    fn create_folders(&self, digest: Digest) -> Result<(), Error> {
        match &self.layout {
            Layout::TwoLevels(durable) if !durable.leaf(digest).load(Ordering::Acquire) => {
                create_folder(folder_of(&self.content_path(digest)))
            }
            _ => Ok(()),
        }
    }

    /// Syncs the folder of a blob, and with two levels the folders around it until this process has synced them once.
    ///
    /// From the inside out: on a journaling file system the innermost sync writes the journal, so that the outer ones
    /// have nothing left to write.
    fn sync_folders(&self, digest: Digest) -> Result<(), Error> {
        let path = self.content_path(digest);
        let leaf = folder_of(&path);
        sync_folder(leaf)?;
        let Layout::TwoLevels(durable) = &self.layout else { return Ok(()) };
        for (folder, flag) in leaf.ancestors().skip(1).zip([durable.leaf(digest), durable.top(digest)]) {
            if flag.load(Ordering::Acquire) {
                return Ok(());
            }
            sync_folder(folder)?;
            flag.store(true, Ordering::Release);
        }
        Ok(())
    }
}

/// The file that a commit replaces. It is closed on another thread, because that takes as long as removing it.
struct ReplacedFile(Option<File>);

impl Drop for ReplacedFile {
    /// Takes the same steps whether or not there is a file.
    fn drop(&mut self) {
        let file = self.0.take();
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            drop(runtime.spawn_blocking(move || drop(file)));
        }
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().expect("a blob's path has a folder")
}

/// The folders below `sha256`, on two levels, that this process knows to have durable names.
///
/// A flag is set only after a sync, and folders are never removed, so a set flag stays true.
#[derive(Debug)]
pub(super) struct DurableFolders {
    tops: Box<[AtomicBool]>,
    leaves: Box<[AtomicBool]>,
}

impl DurableFolders {
    /// The folder `ab`.
    fn top(&self, digest: Digest) -> &AtomicBool {
        &self.tops[usize::from(digest.as_bytes()[0])]
    }

    /// The folder `ab/cd`.
    fn leaf(&self, digest: Digest) -> &AtomicBool {
        let [first, second, ..] = *digest.as_bytes();
        &self.leaves[usize::from(u16::from_be_bytes([first, second]))]
    }
}

impl Default for DurableFolders {
    fn default() -> Self {
        let flags = |count: usize| (0..count).map(|_| AtomicBool::new(false)).collect();
        Self { tops: flags(1 << 8), leaves: flags(1 << 16) }
    }
}
