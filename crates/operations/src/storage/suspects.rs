//! Content that looked damaged when it was read.

use std::{
    collections::BTreeSet,
    sync::{Mutex, MutexGuard, PoisonError, atomic::AtomicU64},
};

use model::{blob::Blob, id::BlobId};

use crate::House;

/// The maximum number of entries; the next verification pass finds the rest.
const MAX: usize = 1_024;

/// The ids of content to verify, and the number of bytes read so far.
#[derive(Debug, Default)]
pub(crate) struct Suspects {
    ids: Mutex<BTreeSet<BlobId>>,
    /// The bytes that this process has read to verify them against their digests.
    pub(crate) read_bytes: AtomicU64,
}

impl Suspects {
    pub(crate) fn add(&self, id: BlobId) {
        let mut ids = self.lock();
        if ids.len() < MAX {
            ids.insert(id);
        }
    }

    /// Takes all ids.
    pub(crate) fn take(&self) -> BTreeSet<BlobId> {
        std::mem::take(&mut self.lock())
    }

    fn lock(&self) -> MutexGuard<'_, BTreeSet<BlobId>> {
        self.ids.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Records that content looks damaged; a job verifies it soon.
pub fn suspect(house: &House, blob: &Blob) {
    house.suspects.add(blob.id);
}
