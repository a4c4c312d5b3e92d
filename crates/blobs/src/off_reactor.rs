//! Work that blocks or computes, away from the threads that serve connections.

use crate::error::Error;

/// Runs a closure on a thread for blocking work; it runs to its end also when nobody waits any more.
pub(crate) async fn run<T, F>(doing: &str, work: F) -> Result<T, Error>
where
    T: Send + 'static,
    F: FnOnce() -> Result<T, Error> + Send + 'static,
{
    match tokio::task::spawn_blocking(work).await {
        Ok(result) => result,
        // The closure panicked, or the runtime is going down.
        Err(error) => Err(Error::Broken { doing: doing.to_owned(), source: error.into() }),
    }
}
