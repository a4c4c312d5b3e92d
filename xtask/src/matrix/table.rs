//! The table between its two markers.

use std::collections::{BTreeMap, BTreeSet};

use super::COLUMNS;
use crate::failure::{Failure, Result};

/// The lines around the table.
const BEGIN: &str = "<!-- clients: begin; `cargo xtask test-clients` writes this table -->\n";
const END: &str = "<!-- clients: end -->";

/// Cells: all tests passed, one failed, no test ran yet, and no test exists.
const PASSED: &str = "yes";
const FAILED: &str = "**no**";
const UNKNOWN: &str = "?";
const NONE: &str = "–";

/// The rows, by client.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Table {
    /// The rows.
    pub rows: BTreeMap<String, Row>,
}

/// A row.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Row {
    /// The version of the client in the last run.
    pub version: String,
    /// When and where the client was last tested.
    pub last_run: String,
    /// The columns that were tested, and whether the tests passed.
    pub cells: BTreeMap<String, bool>,
}

impl Table {
    /// Finds the table in a document.
    pub fn find(document: &str) -> Result<Self> {
        let (_, text, _) = cut(document)?;
        let rows = text.lines().filter(|line| line.starts_with('|')).skip(2).map(parse_row);
        Ok(Self { rows: rows.collect() })
    }

    /// Returns the document with this table in it.
    pub(super) fn put_into(&self, document: &str) -> Result<String> {
        let (before, _, after) = cut(document)?;
        let mut table = format!("| Client | Version | {} | Last run |\n|---|---|", COLUMNS.join(" | "));
        table += &"---|".repeat(COLUMNS.len() + 1);
        for (client, row) in &self.rows {
            let cells: Vec<&str> = COLUMNS.iter().map(|column| row.cell(column)).collect();
            table += &format!("\n| {client} | {} | {} | {} |", row.version, cells.join(" | "), row.last_run);
        }
        Ok(format!("{before}{BEGIN}\n{table}\n\n{END}{after}"))
    }
}

impl Row {
    /// The row with these columns only. Those that no run has tested are unknown.
    pub(super) fn only(mut self, columns: &BTreeSet<String>) -> Self {
        self.cells.retain(|column, _| columns.contains(column));
        if self.last_run.is_empty() {
            self.cells = columns.iter().map(|column| (column.clone(), false)).collect();
        }
        self
    }

    fn cell(&self, column: &str) -> &'static str {
        match self.cells.get(column) {
            None => NONE,
            Some(_) if self.last_run.is_empty() => UNKNOWN,
            Some(true) => PASSED,
            Some(false) => FAILED,
        }
    }
}

/// Cuts a document into the parts before, between and after the markers.
fn cut(document: &str) -> Result<(&str, &str, &str)> {
    let parts = document.split_once(BEGIN).and_then(|(before, rest)| {
        let (text, after) = rest.split_once(END)?;
        Some((before, text, after))
    });
    parts.ok_or_else(|| Failure::new("the document has no markers around its table"))
}

fn parse_row(line: &str) -> (String, Row) {
    let fields: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
    let field = |at: usize| fields.get(at).copied().unwrap_or_default().to_owned();
    let cells = COLUMNS.iter().zip(fields.iter().skip(2)).filter(|(_, cell)| **cell != NONE);
    let cells = cells.map(|(column, cell)| ((*column).to_owned(), *cell == PASSED)).collect();
    (field(0), Row { version: field(1), last_run: field(COLUMNS.len() + 2), cells })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_written_and_found_again() {
        let document = format!("# Clients\n\n{BEGIN}old\n{END}\nmore\n");
        assert_eq!(Table::find(&document).expect("markers"), Table::default());
        let cells = BTreeMap::from([("publish".to_owned(), true), ("yank".to_owned(), false)]);
        let row = Row { version: "1.2".to_owned(), last_run: "today".to_owned(), cells };
        let fresh = Row::default().only(&BTreeSet::from(["install".to_owned()]));
        let table = Table { rows: BTreeMap::from([("npm".to_owned(), row), ("pip".to_owned(), fresh)]) };
        let written = table.put_into(&document).expect("markers");
        assert!(written.starts_with("# Clients\n\n") && written.ends_with("\nmore\n"), "{written}");
        assert!(written.contains("| npm | 1.2 | yes | – | – | – | **no** | – | – | – | today |"), "{written}");
        assert!(written.contains("| pip |  | – | ? | – |"), "{written}");
        assert_eq!(Table::find(&written).expect("markers"), table);
        assert_eq!(table.put_into(&written).expect("markers"), written);
        assert!(Table::find("no markers").is_err());
    }
}
