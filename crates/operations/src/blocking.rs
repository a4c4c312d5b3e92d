//! Runs work that computes or waits for the disk outside the threads that serve requests, with a limit.

use tokio::sync::Semaphore;

use crate::{Error, Result};

/// The maximum number of simultaneous pieces of work.
const AT_ONCE: usize = 16;

static PLACES: Semaphore = Semaphore::const_new(AT_ONCE);

/// Runs a short piece of work. The permit belongs to the work: a client that disconnects while it runs makes no room
/// for more, and one that disconnects while it waits leaves nothing behind.
pub(crate) async fn run<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    let place = PLACES.acquire().await.map_err(|error| Error::Internal(error.to_string()))?;
    let done = tokio::task::spawn_blocking(move || {
        let _place = place;
        work()
    });
    done.await.map_err(|error| Error::Internal(error.to_string()))
}
