//! Prints results as tables for people.

use std::fmt::Write;
use std::time::Duration;

use crate::measure::Seen;

/// The results of one kind of call, from the smallest size to the largest.
pub(crate) struct Row {
    /// The kind of call.
    pub(crate) call: &'static str,
    /// How much slower the largest size may be than the smallest.
    pub(crate) bound: Option<f64>,
    /// The result of each size.
    pub(crate) seen: Vec<Seen>,
}

impl Row {
    /// Returns the ratio of the median duration at the largest size to that at the smallest.
    fn growth(&self) -> Option<f64> {
        match self.seen.as_slice() {
            [first, .., last] => Some(last.p50.as_secs_f64() / first.p50.as_secs_f64()),
            _ => None,
        }
    }

    /// Returns an error message if it grew more than allowed.
    pub(crate) fn excess(&self) -> Option<String> {
        let (growth, bound) = (self.growth()?, self.bound?);
        (growth > bound).then(|| format!("{} grew {growth:.2}-fold, more than {bound}-fold", self.call))
    }

    /// Returns its line of the table.
    pub(crate) fn line(&self) -> String {
        let mut line = format!("| {} |", self.call);
        for Seen { p50, p99, per_second } in &self.seen {
            write!(line, " {} / {} ms, {}/s |", milliseconds(*p50), milliseconds(*p99), grouped(per_second.round()))
                .expect("a text takes everything");
        }
        let bound = self.bound.map(|bound| format!(" (at most {bound})")).unwrap_or_default();
        line + &self.growth().map_or(" |".to_owned(), |growth| format!(" {growth:.2}{bound} |"))
    }
}

/// Returns a table with a column for each size.
pub(crate) fn markdown(things: &str, sizes: &[u64], rows: &[Row]) -> String {
    let sizes: Vec<String> = sizes.iter().map(|size| format!(" {} {things} |", grouped(*size as f64))).collect();
    let head = format!("| p50 / p99, requests/s |{} growth of p50 |", sizes.concat());
    let rule = format!("|---|{}---|", "---|".repeat(sizes.len()));
    let lines: Vec<String> = rows.iter().map(Row::line).collect();
    format!("{head}\n{rule}\n{}", lines.join("\n"))
}

/// Returns a duration in milliseconds, with fewer digits the longer it is.
pub(crate) fn milliseconds(duration: Duration) -> String {
    let milliseconds = duration.as_secs_f64() * 1_000.0;
    match milliseconds {
        ..10.0 => format!("{milliseconds:.2}"),
        ..100.0 => format!("{milliseconds:.1}"),
        _ => format!("{milliseconds:.0}"),
    }
}

/// Formats an integer with commas between thousands.
pub(crate) fn grouped(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(milliseconds: [u64; 2]) -> Row {
        let seen =
            |p50| Seen { p50: Duration::from_millis(p50), p99: Duration::from_micros(12_345), per_second: 1_234.4 };
        Row { call: "detail", bound: Some(1.5), seen: milliseconds.map(seen).to_vec() }
    }

    #[test]
    fn a_table_has_a_column_for_each_size() {
        let expected = "| p50 / p99, requests/s | 1,000 packages | 1,000,000 packages | growth of p50 |\n\
            |---|---|---|---|\n\
            | detail | 2.00 / 12.3 ms, 1,234/s | 3.00 / 12.3 ms, 1,234/s | 1.50 (at most 1.5) |";
        assert_eq!(markdown("packages", &[1_000, 1_000_000], &[row([2, 3])]), expected);
    }

    #[test]
    fn what_grows_more_than_it_may_is_told() {
        assert_eq!(row([2, 3]).excess(), None);
        assert_eq!(row([2, 4]).excess().as_deref(), Some("detail grew 2.00-fold, more than 1.5-fold"));
    }
}
