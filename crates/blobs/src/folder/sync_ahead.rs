//! Syncs the file of a large upload while the upload goes on, so that the sync at its end has little left to write.

use std::{fs::File, path::Path};

use tokio::task::{JoinHandle, spawn_blocking};

use crate::off_reactor;

/// The number of new bytes that are worth a sync.
const WORTH_BYTES: usize = 64 << 20;

/// The syncs of a file that is being written, one at a time.
#[derive(Debug, Default)]
pub(super) struct SyncAhead {
    unsynced: usize,
    running: Option<JoinHandle<()>>,
}

impl SyncAhead {
    /// Notes that bytes were written, and syncs them if there are many, unless a sync is running or all slots for blocking
    /// work are taken. Must be called on a thread of the runtime.
    pub(super) fn wrote(&mut self, path: &Path, bytes: usize) {
        self.unsynced += bytes;
        if self.unsynced < WORTH_BYTES || self.running.as_ref().is_some_and(|running| !running.is_finished()) {
            return;
        }
        // Opened for this sync: the kernel reports a failed write once for each open file, and the sync at the end has to
        // learn of it.
        let (Some(place), Ok(file)) = (off_reactor::free_place(), File::open(path)) else { return };
        self.unsynced = 0;
        self.running = Some(spawn_blocking(move || {
            let _place = place;
            drop(file.sync_data());
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn many_bytes_are_synced_once_at_a_time() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        let mut ahead = SyncAhead::default();
        ahead.wrote(file.path(), WORTH_BYTES - 1);
        assert!(ahead.running.is_none(), "too few");
        ahead.wrote(file.path(), 1);
        assert_eq!(ahead.unsynced, 0);
        ahead.running.take().expect("a sync runs").await.expect("it ended");
        ahead.running = Some(tokio::spawn(std::future::pending()));
        ahead.wrote(file.path(), WORTH_BYTES);
        assert_eq!(ahead.unsynced, WORTH_BYTES, "the one before runs");
    }

    #[tokio::test]
    async fn a_file_that_cannot_be_opened_is_left_to_the_sync_at_the_end() {
        let mut ahead = SyncAhead::default();
        ahead.wrote(Path::new("/nowhere/at/all"), WORTH_BYTES);
        assert!(ahead.running.is_none());
    }
}
