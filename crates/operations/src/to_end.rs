//! Changes that run to their end, even if the client disconnects: half of them would be left otherwise.

use tracing::Instrument;

use crate::{Error, Result};

/// Runs a change in a task of its own, and waits for it. The change goes on if the caller stops waiting.
pub async fn run_to_end<T: Send + 'static>(change: impl Future<Output = Result<T>> + Send + 'static) -> Result<T> {
    tokio::spawn(change.in_current_span()).await.map_err(|error| Error::Internal(error.to_string()))?
}
