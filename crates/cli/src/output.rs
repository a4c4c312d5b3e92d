//! What a command prints: results to standard output, everything else to standard error.

use std::io::{self, IsTerminal, Write};

use serde::Serialize;

/// How to print.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Output {
    pub(crate) is_json: bool,
    pub(crate) is_quiet: bool,
}

impl Output {
    /// A result: as JSON, or as its text for people.
    pub(crate) fn show<T: Serialize + ?Sized>(&self, value: &T, text: impl FnOnce(&T) -> String) {
        if self.is_json {
            let json = serde_json::to_string_pretty(value).expect("results are plain data");
            print(&json);
        } else {
            print(&text(value));
        }
    }

    /// A note beside the results.
    pub(crate) fn note(&self, line: &str) {
        if !self.is_quiet {
            eprintln!("{line}");
        }
    }

    /// Whether bars are drawn: for people, on a terminal.
    pub(crate) fn draws(&self) -> bool {
        !self.is_json && !self.is_quiet && io::stderr().is_terminal()
    }
}

/// Prints a text and ends its line. Whoever reads it may stop reading.
pub(crate) fn print(text: &str) {
    if !text.is_empty() {
        let _ = writeln!(io::stdout().lock(), "{}", text.trim_end_matches('\n'));
    }
}

/// Rows below each other, their columns aligned.
pub(crate) fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    let widths: Vec<usize> = (0..columns)
        .map(|column| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0))
        .collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}")).collect::<Vec<_>>();
        cells.join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Facts about one thing, a line each; empty ones are left out.
pub(crate) fn facts(pairs: &[(&str, String)]) -> String {
    let rows: Vec<_> = pairs.iter().filter(|(_, value)| !value.is_empty()).collect();
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
    rows.iter().map(|(name, value)| format!("{name:<width$}  {value}")).collect::<Vec<_>>().join("\n")
}

/// A size for people.
pub(crate) fn size(bytes: u64) -> String {
    indicatif::HumanBytes(bytes).to_string()
}

/// A word for a number of things.
pub(crate) fn count(number: usize, one: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{number} {one}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let rows = [vec!["a".to_owned(), "1".to_owned()], vec!["bär".to_owned(), String::new()]];
        assert_eq!(table(&rows), "a    1\nbär");
        assert_eq!(facts(&[("name", "cat".into()), ("none", String::new()), ("id", "1".into())]), "name  cat\nid    1");
    }
}
