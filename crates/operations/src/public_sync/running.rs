//! Limits the number of concurrent syncs of a node.

use tokio::sync::{Semaphore, SemaphorePermit};

use crate::{Error, Result};

/// The maximum number of concurrent syncs of a node: each one occupies a request, and sends files, for minutes.
const AT_ONCE: usize = 8;

/// The slots of this node for syncs.
#[derive(Debug)]
pub(crate) struct SyncSlots(Semaphore);

impl Default for SyncSlots {
    fn default() -> Self {
        Self(Semaphore::new(AT_ONCE))
    }
}

impl SyncSlots {
    /// Takes a slot until the permit is dropped.
    pub(super) fn begin(&self) -> Result<SemaphorePermit<'_>> {
        let full = |_| Error::Conflict("Too many versions are being synced; try again when one is done".into());
        self.0.try_acquire().map_err(full)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_has_so_many_syncs_at_once() {
        let running = SyncSlots::default();
        let places: Vec<_> = (0..AT_ONCE).map(|_| running.begin().expect("room")).collect();
        running.begin().expect_err("no room");
        drop(places);
        drop(running.begin().expect("room"));
    }
}
