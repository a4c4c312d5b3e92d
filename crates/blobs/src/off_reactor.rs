//! Runs blocking or CPU-bound work outside the threads that serve connections.

use tokio::sync::{Semaphore, SemaphorePermit};

use crate::error::Error;

/// Maximum number of concurrent blocking tasks. The runtime has twice as many threads, so other code finds one, too.
const VISITS: usize = 256;

static PLACES: Semaphore = Semaphore::const_new(VISITS);

/// Runs a closure on a blocking thread. Once started, it runs to its end, even if the caller is dropped.
///
/// Callers wait for a slot inside their request and are dropped with it: a cancelled request leaves at most the work
/// that it had started.
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
    // The closure panicked, or the runtime is shutting down.
    done.await.unwrap_or_else(|error| Err(broken(error.into())))
}

/// A slot for work that can also be done later, if one is free.
pub(crate) fn free_place() -> Option<SemaphorePermit<'static>> {
    PLACES.try_acquire().ok()
}
