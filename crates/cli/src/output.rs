//! The output of a command: results go to standard output, everything else to standard error.

use std::io::{self, IsTerminal, Write};

use serde::Serialize;
use serde_json::Value;

use crate::clock::utc;

/// The output options.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Output {
    pub(crate) is_json: bool,
    pub(crate) is_quiet: bool,
}

impl Output {
    /// Prints a result: as JSON, or as text for people. An empty text gets a notice.
    pub(crate) fn print<T: Serialize + ?Sized>(&self, value: &T, text: impl FnOnce(&T) -> String) {
        self.print_or("no results", value, text);
    }

    /// Prints a result: as JSON, or as text for people; instead of an empty text, a notice.
    pub(crate) fn print_or<T: Serialize + ?Sized>(&self, notice: &str, value: &T, text: impl FnOnce(&T) -> String) {
        if self.is_json {
            let json = serde_json::to_string_pretty(value).expect("results are plain data");
            print(&json);
            return;
        }
        let text = text(value);
        print(&text);
        if text.is_empty() {
            self.notice(notice);
        }
    }

    /// Prints a notice to standard error.
    pub(crate) fn notice(&self, line: &str) {
        if !self.is_quiet {
            eprintln!("{line}");
        }
    }

    /// Returns whether progress bars are drawn: for people, on a terminal.
    pub(crate) fn draws(&self) -> bool {
        !self.is_json && !self.is_quiet && io::stderr().is_terminal()
    }
}

/// Prints a text and a newline. Ignores errors, because the reader may close the pipe.
pub(crate) fn print(text: &str) {
    if !text.is_empty() {
        let _ = writeln!(io::stdout().lock(), "{}", text.trim_end_matches('\n'));
    }
}

/// Formats rows with aligned columns.
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

/// Formats the fields of one thing, one per line; omits empty ones.
pub(crate) fn facts(pairs: &[(&str, String)]) -> String {
    let rows: Vec<_> = pairs.iter().filter(|(_, value)| !value.is_empty()).collect();
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
    rows.iter().map(|(name, value)| format!("{name:<width$}  {value}")).collect::<Vec<_>>().join("\n")
}

/// Formats the non-empty fields of a JSON object, one per line, in the order of the server.
pub(crate) fn object(value: &Value) -> String {
    let Value::Object(fields) = value else { return word(value) };
    // The contract's misspelling of a field that also exists with the right name.
    let fields = fields.iter().filter(|(name, _)| *name != "lables");
    let pairs: Vec<(&str, String)> = fields.map(|(name, value)| (name.as_str(), cell(name, value))).collect();
    facts(&pairs)
}

/// The value of a field. Expiries are milliseconds in the API.
fn cell(name: &str, value: &Value) -> String {
    match value.as_i64() {
        Some(time) if name == "expiry" => utc(time),
        _ => word(value),
    }
}

fn word(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(word).collect::<Vec<_>>().join(", "),
        Value::Object(fields) => {
            let pairs = fields.iter().map(|(name, value)| format!("{name}={}", word(value)));
            pairs.collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    }
}

/// Formats these fields of each item as a table with a head; nothing for no items.
pub(crate) fn listing(items: &[Value], fields: &[&str]) -> String {
    if items.is_empty() {
        return String::new();
    }
    let head = fields.iter().map(|field| field.to_uppercase()).collect();
    let row = |item: &Value| fields.iter().map(|field| cell(field, &item[*field])).collect();
    table(&std::iter::once(head).chain(items.iter().map(row)).collect::<Vec<_>>())
}

/// The number of items of a list that are shown to people.
const SHOWN_ITEMS: usize = 20;

/// Formats a thing for people: its address, and its non-empty fields with readable names and values.
pub(crate) fn people(title: &str, value: &Value) -> String {
    let Value::Object(fields) = value else { return word(value) };
    // The contract's misspelling of a field that also exists with the right name.
    let fields = fields.iter().filter(|(name, _)| *name != "lables");
    let pairs: Vec<(String, String)> = fields.map(|(name, value)| (label(name), readable(name, value))).collect();
    let pairs: Vec<(&str, String)> = pairs.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
    let lines = facts(&pairs).lines().map(|line| format!("  {line}")).collect::<Vec<_>>().join("\n");
    format!("{title}\n{lines}")
}

/// The name of a field for people. The unit of a size is part of its value.
fn label(name: &str) -> String {
    name.strip_suffix("_bytes").unwrap_or(name).replace('_', " ")
}

fn readable(name: &str, value: &Value) -> String {
    match value {
        Value::Bool(is_set) => if *is_set { "yes" } else { "no" }.to_owned(),
        Value::Number(number) if name.ends_with("_bytes") || name == "size" => {
            number.as_u64().map_or_else(|| number.to_string(), size)
        }
        Value::Array(items) if items.len() > SHOWN_ITEMS => {
            let shown = items.iter().take(SHOWN_ITEMS).map(word).collect::<Vec<_>>().join(", ");
            format!("{shown} and {} more", items.len() - SHOWN_ITEMS)
        }
        Value::String(text) => text.replace('\n', "\n  "),
        other => cell(name, other),
    }
}

/// Formats a size for people.
pub(crate) fn size(bytes: u64) -> String {
    indicatif::HumanBytes(bytes).to_string()
}

/// Formats a number of things, with the plural where needed.
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
