//! Saying on standard error how far some long work is.

use std::{pin::pin, time::Duration};

use operations::maintenance::verify::Progress;

/// How often something is said.
const EVERY: Duration = Duration::from_secs(5);

/// Awaits the work. What takes less than a while says nothing.
pub(super) async fn watch<T>(work: impl Future<Output = T>, doing: &str, progress: &Progress) -> T {
    let mut work = pin!(work);
    loop {
        match tokio::time::timeout(EVERY, &mut work).await {
            Ok(result) => return result,
            Err(_) => eprintln!("{doing} {} blobs of {} bytes so far", progress.blobs(), progress.bytes()),
        }
    }
}
