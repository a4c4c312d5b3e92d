//! Work that computes or waits for the disk, away from the threads that serve requests, and bounded.

use tokio::sync::Semaphore;

use crate::{Error, Result};

/// Pieces of work at the same time.
const AT_ONCE: usize = 16;

static PLACES: Semaphore = Semaphore::const_new(AT_ONCE);

/// Runs a short piece of work. Its place belongs to the work: who hangs up while it runs makes no room for more, and who
/// hangs up while it waits leaves nothing behind.
pub(crate) async fn run<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    let place = PLACES.acquire().await.map_err(|error| Error::Internal(error.to_string()))?;
    let done = tokio::task::spawn_blocking(move || {
        let _place = place;
        work()
    });
    done.await.map_err(|error| Error::Internal(error.to_string()))
}
