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
            format!("{blobs} of {all_blobs} blobs, {} of {} ({percent}%)", in_units(bytes), in_units(all_bytes))
        }
        None => format!("{blobs} blobs, {}", in_units(bytes)),
    }
}

/// A number of bytes in the largest unit that it has one of.
pub(super) fn in_units(bytes: u64) -> String {
    let unit = UNITS.iter().rev().find(|(size, _)| bytes >= *size);
    // A tenth of a unit is enough to see that something moves.
    unit.map_or_else(|| format!("{bytes} bytes"), |(size, name)| format!("{:.1} {name}", bytes as f64 / *size as f64))
}

const UNITS: [(u64, &str); 4] = [(1 << 10, "KiB"), (1 << 20, "MiB"), (1 << 30, "GiB"), (1 << 40, "TiB")];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_the_unit_that_people_read() {
        let sizes = [0, 1_023, 1_024, 1_536, 5 << 20, 3 << 30, 7 << 40];
        let read = ["0 bytes", "1023 bytes", "1.0 KiB", "1.5 KiB", "5.0 MiB", "3.0 GiB", "7.0 TiB"];
        assert_eq!(sizes.map(in_units), read);
    }
}
