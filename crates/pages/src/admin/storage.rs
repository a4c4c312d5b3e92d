//! The stored bytes by format, as a bar with its key.

use operations::maintenance::site::Totals;

use crate::{parts, sizes};

/// The most formats with a colour of their own; the last part of the bar is all others.
const FORMATS: usize = 3;

/// The colours of the parts, as classes of the style sheet.
const COLOURS: [&str; 4] = ["one", "two", "three", "four"];

/// A part of the bar.
pub(super) struct StoragePart {
    pub(super) colour: &'static str,
    pub(super) title: String,
    pub(super) size: String,
    pub(super) percent: i64,
    /// Where the part ends, in percent of the bar. The parts are drawn from the last to the first.
    pub(super) end: i64,
}

/// The parts of the stored bytes.
pub(super) fn parts(totals: &Totals) -> Vec<StoragePart> {
    let sum: i64 = totals.by_format.iter().map(|(_, bytes)| bytes).sum();
    let (first, others) = totals.by_format.split_at(totals.by_format.len().min(FORMATS));
    let named = first.iter().map(|(format, bytes)| (parts::format_title(format).to_owned(), *bytes));
    let others = match others {
        [] => None,
        [(format, bytes)] => Some((parts::format_title(format).to_owned(), *bytes)),
        _ => Some(("Others".to_owned(), others.iter().map(|(_, bytes)| bytes).sum())),
    };
    let mut until = 0;
    let part = |((title, bytes), colour): ((String, i64), &'static str)| {
        until += bytes;
        let percent = |bytes: i64| (bytes * 100 + sum / 2).checked_div(sum).unwrap_or_default();
        let size = sizes::bytes(bytes.unsigned_abs());
        StoragePart { colour, title, size, percent: percent(bytes), end: percent(until) }
    };
    named.chain(others).zip(COLOURS).map(part).collect()
}

/// The bar in words.
pub(super) fn words(parts: &[StoragePart]) -> String {
    let parts: Vec<String> = parts.iter().map(|part| format!("{} {} %", part.title, part.percent)).collect();
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use model::blob::BlobTotals;

    use super::*;

    fn totals(by_format: &[(&str, i64)]) -> Totals {
        let by_format = by_format.iter().map(|(format, bytes)| ((*format).to_owned(), *bytes)).collect();
        Totals { content: BlobTotals { blobs: 0, bytes: 0 }, repos: 0, file_bytes: 0, by_format }
    }

    #[test]
    fn formats_with_few_bytes_are_together() {
        let found = parts(&totals(&[("npm", 50), ("generic", 25), ("maven", 15), ("helm", 6), ("cargo", 4)]));
        assert_eq!(words(&found), "npm 50 %, Generic 25 %, Maven 15 %, Others 10 %");
        let ends: Vec<i64> = found.iter().map(|part| part.end).collect();
        assert_eq!(ends, [50, 75, 90, 100]);
    }

    #[test]
    fn an_empty_store_has_no_parts() {
        assert!(parts(&totals(&[])).is_empty());
    }
}
