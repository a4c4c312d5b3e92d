//! Where keys are opened and used: threads of their own, few at a time.

use tokio::sync::{Semaphore, SemaphorePermit};

use crate::{Error, Result};

/// Keys that are opened or used at the same time.
const THREADS: usize = 4;

/// Keys share this many turns; one that is tried makes the others of its turn wait a moment.
const TURNS: usize = 16;

/// The bounds of what signing takes from the machine.
#[derive(Debug)]
pub(crate) struct Bench {
    threads: Semaphore,
    turns: [Semaphore; TURNS],
}

impl Default for Bench {
    fn default() -> Self {
        Self { threads: Semaphore::new(THREADS), turns: [const { Semaphore::const_new(1) }; TURNS] }
    }
}

impl Bench {
    /// Runs slow work off the threads that serve requests.
    pub(super) async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
        let _permit = self.threads.acquire().await.map_err(|_| closed())?;
        // The cause of a panic is left out: it could hold a piece of a key.
        tokio::task::spawn_blocking(work).await.map_err(|_| Error::Internal("a signing thread has failed".into()))
    }

    /// The turn to try a passphrase on a key: one at a time on this node.
    pub(super) async fn turn(&self, key_id: i64) -> Result<SemaphorePermit<'_>> {
        let index = usize::try_from(key_id.unsigned_abs()).unwrap_or_default() % TURNS;
        self.turns[index].acquire().await.map_err(|_| closed())
    }
}

fn closed() -> Error {
    Error::Internal("the signing threads are gone".into())
}
