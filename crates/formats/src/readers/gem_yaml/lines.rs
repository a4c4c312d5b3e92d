//! Lines with their indentation.

use super::super::quoted;

/// A line without its indentation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line<'a> {
    /// The number of blanks before the text.
    pub(super) indent: usize,
    /// The text, without blanks at its end.
    pub(super) text: &'a str,
    /// The number of the line, from 1.
    pub(super) number: usize,
}

impl<'a> Line<'a> {
    /// Returns whether the line is an element of a sequence.
    pub(super) fn is_dash(&self) -> bool {
        self.text == "-" || self.text.starts_with("- ")
    }

    /// The part behind the dash.
    pub(super) fn after_dash(&self) -> Line<'a> {
        let text = self.text[1..].trim_start();
        Line { indent: self.indent + self.text.len() - text.len(), text, number: self.number }
    }

    /// A message about this line.
    pub(super) fn error(&self, reason: &str) -> String {
        format!("line {}, '{}': {reason}", self.number, quoted(self.text))
    }
}

/// The lines of a document that are not read yet.
pub(super) struct Lines<'a> {
    raw: Vec<&'a str>,
    at: usize,
    pending: Option<Line<'a>>,
}

impl<'a> Lines<'a> {
    pub(super) fn new(text: &'a str) -> Result<Self, String> {
        let raw: Vec<&str> = text.lines().collect();
        if raw.iter().any(|line| line.trim_start_matches(' ').starts_with('\t')) {
            return Err("it is indented with tabs".to_owned());
        }
        Ok(Self { raw, at: 0, pending: None })
    }

    /// Takes the line that starts the document; its value may begin there.
    pub(super) fn take_start(&mut self) -> Line<'a> {
        match self.peek() {
            Some(line) if line.text == "---" || line.text.starts_with("--- ") => {
                self.next();
                Line { text: line.text[3..].trim_start(), ..line }
            }
            _ => Line { indent: 0, text: "", number: 1 },
        }
    }

    /// The next line with a value; empty lines and comments are skipped. The end mark ends the document.
    pub(super) fn peek(&mut self) -> Option<Line<'a>> {
        if let Some(line) = &self.pending {
            return Some(line.clone());
        }
        while let Some(raw) = self.raw.get(self.at) {
            let text = raw.trim_start_matches(' ');
            if *raw == "..." {
                return None;
            }
            if !text.trim_end().is_empty() && !text.starts_with('#') {
                return Some(Line { indent: raw.len() - text.len(), text: text.trim_end(), number: self.at + 1 });
            }
            self.at += 1;
        }
        None
    }

    /// Goes past the line that `peek` returned.
    pub(super) fn next(&mut self) {
        if self.pending.take().is_none() {
            self.at += 1;
        }
    }

    /// Makes a part of the line before the next line.
    pub(super) fn push_back(&mut self, line: Line<'a>) {
        self.pending = Some(line);
    }

    /// The next line as it is, for texts of several lines.
    pub(super) fn peek_raw(&self) -> Option<&'a str> {
        self.raw.get(self.at).copied()
    }

    /// Goes past the line that `peek_raw` returned.
    pub(super) fn next_raw(&mut self) {
        self.at += 1;
    }
}
