//! Work that blocks or computes, away from the threads that serve connections.

use tokio::sync::{Semaphore, SemaphorePermit};

use crate::error::Error;

/// Visits to blocking threads at the same time. The runtime has twice as many threads, so others find one, too.
const VISITS: usize = 256;

static PLACES: Semaphore = Semaphore::const_new(VISITS);

/// Runs a closure on a thread for blocking work; once begun, it runs to its end also when nobody waits any more.
///
/// Those who wait for a place do so in their request and go with it: requests that are given up leave at most what they
/// had begun.
pub(crate) async fn run<T, F>(doing: &str, work: F) -> Result<T, Error>
where
    T: Send + 'static,
    F: FnOnce() -> Result<T, Error> + Send + 'static,
{
    let broken = |source| Error::Broken { doing: doing.to_owned(), source };
    let place = PLACES.acquire().await.map_err(|error| broken(error.into()))?;
    let done = tokio::task::spawn_blocking(move || {
        let _place = place;
        work()
    });
    // The closure panicked, or the runtime is going down.
    done.await.unwrap_or_else(|error| Err(broken(error.into())))
}

/// A place for work that need not be done yet, if one is free.
pub(crate) fn free_place() -> Option<SemaphorePermit<'static>> {
    PLACES.try_acquire().ok()
}
