//! Gives a received body its final name.

use std::sync::atomic::{AtomicBool, Ordering};

use model::digest::Digest;

use super::{Folder, create_folder, look, receive::Source, sync_folder, temporary::Temporary};
use crate::{error::Error, hashes::Checksums, stamp::Stamp};

impl Folder {
    /// Makes a blob durable: bytes first, then the name, then the folders that contain the name.
    ///
    /// Replaces an existing file without looking at it: its bytes may be damaged, and the duration must not reveal that
    /// the blob existed.
    pub(super) fn commit(&self, source: Source, sums: Checksums) -> Result<Stamp, Error> {
        let path = self.content_path(sums.sha256);
        self.create_folders(sums.sha256)?;
        let temporary = match source {
            Source::File(temporary) => temporary,
            Source::Memory(bytes) => {
                let mut temporary = Temporary::create(self)?;
                temporary.write_body(&bytes)?;
                temporary
            }
        };
        temporary.sync()?;
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

    fn create_folders(&self, digest: Digest) -> Result<(), Error> {
        if self.durable.leaf(digest).load(Ordering::Acquire) {
            return Ok(());
        }
        let path = self.content_path(digest);
        create_folder(path.parent().expect("a blob's path has a folder"))
    }

    /// Syncs the folders of a blob from the inside out; the outer ones only until this process has synced them once.
    ///
    /// On a journaling file system the innermost sync writes the journal, so that the outer ones have nothing left to
    /// write.
    fn sync_folders(&self, digest: Digest) -> Result<(), Error> {
        let path = self.content_path(digest);
        let mut folders = path.ancestors().skip(1);
        let flags = [None, Some(self.durable.leaf(digest)), Some(self.durable.top(digest))];
        for flag in flags {
            let folder = folders.next().expect("a blob lies three folders deep");
            match flag {
                Some(flag) if flag.load(Ordering::Acquire) => return Ok(()),
                Some(flag) => {
                    sync_folder(folder)?;
                    flag.store(true, Ordering::Release);
                }
                None => sync_folder(folder)?,
            }
        }
        Ok(())
    }
}

/// The folders below `sha256` that this process knows to have durable names.
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
