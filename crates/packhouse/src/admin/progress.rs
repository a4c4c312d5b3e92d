//! Reports the progress of long work on standard error.

use std::{pin::pin, time::Duration};

use operations::maintenance::verify::Progress;

/// The interval between reports.
const EVERY: Duration = Duration::from_secs(5);

/// Awaits the work. Work that ends before the first interval reports nothing.
pub(super) async fn watch<T>(work: impl Future<Output = T>, doing: &str, progress: &Progress) -> T {
    let mut work = pin!(work);
    loop {
        match tokio::time::timeout(EVERY, &mut work).await {
            Ok(result) => return result,
            Err(_) => eprintln!("{doing} {} blobs of {} bytes so far", progress.blobs(), progress.bytes()),
        }
    }
}
