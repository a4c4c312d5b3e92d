//! Content that looked damaged to somebody who wanted it.

use std::{
    collections::BTreeSet,
    sync::{Mutex, MutexGuard, PoisonError, atomic::AtomicU64},
};

use database::content::blobs::Blob;

use crate::House;

/// How many are remembered; what is forgotten comes up with the next pass.
const MAX: usize = 1_024;

/// The keys of content that is to be looked at, and how much was read so far.
#[derive(Debug, Default)]
pub(crate) struct Suspects {
    ids: Mutex<BTreeSet<i64>>,
    /// Bytes that this process has read to hold them against their digests.
    pub(crate) read_bytes: AtomicU64,
}

impl Suspects {
    pub(crate) fn add(&self, id: i64) {
        let mut ids = self.lock();
        if ids.len() < MAX {
            ids.insert(id);
        }
    }

    /// Takes all of them.
    pub(crate) fn take(&self) -> BTreeSet<i64> {
        std::mem::take(&mut self.lock())
    }

    fn lock(&self) -> MutexGuard<'_, BTreeSet<i64>> {
        self.ids.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Notes that content looks damaged; it is read and judged soon, by itself.
pub fn suspect(house: &House, blob: &Blob) {
    house.suspects.add(blob.id);
}
