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
            Err(_) => eprintln!("{doing} {} so far", amount(progress)),
        }
    }
}

/// What is done, and of how much if that is known.
fn amount(progress: &Progress) -> String {
    let (blobs, bytes) = (progress.blobs(), progress.bytes());
    match progress.expected() {
        Some((all_blobs, all_bytes)) => {
            let percent = bytes.saturating_mul(100).checked_div(all_bytes).unwrap_or(100).min(100);
            format!("{blobs} of {all_blobs} blobs, {bytes} of {all_bytes} bytes ({percent}%)")
        }
        None => format!("{blobs} blobs of {bytes} bytes"),
    }
}
