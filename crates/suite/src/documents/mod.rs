//! The blocks of documents: what tests run of them, and what they expect.
//!
//! A comment before a block says what readers need not see:
//!
//! ```text
//! <!-- expect: 404 -->          the statuses of its requests, instead of success
//! <!-- prints: published -->    a text in its output
//! <!-- file: app/Gemfile -->    the block is appended to this file
//! <!-- in: app -->              the folder to run it in
//! <!-- types: API_KEY -->       what its reader types
//! <!-- before: rm -r cache -->  a command of the test before it
//! <!-- not run: needs root -->  why no test runs it
//! ```

mod outcome;
mod script;

pub use outcome::check;
pub use script::script;

use outcome::Outcome;

/// The names of notes.
const NOTES: [&str; 7] = ["expect", "prints", "file", "in", "types", "before", "not run"];

/// A fenced block of a document.
#[derive(Debug, Clone)]
pub struct Block {
    /// The language after the fence.
    pub language: String,
    /// Its text, without the indentation of the fence.
    pub content: String,
    /// The number of the line with the fence.
    pub line: usize,
    notes: Vec<(String, String)>,
}

impl Block {
    /// Returns the value of a note.
    pub fn note(&self, name: &str) -> Option<&str> {
        self.notes.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }

    /// Returns the same block with other texts in place of its examples.
    pub fn map(&self, replace: impl Fn(&str) -> String) -> Self {
        let notes = self.notes.iter().map(|(name, value)| (name.clone(), replace(value))).collect();
        Self { language: self.language.clone(), content: replace(&self.content), line: self.line, notes }
    }

    /// Returns whether a test follows it: runs its commands, or writes its file.
    pub fn is_followed(&self) -> bool {
        self.note("not run").is_none() && (self.language == "sh" || self.note("file").is_some())
    }

    /// Returns whether it ended as documented: with the statuses in its note or else without a failure, and with the
    /// texts in its notes.
    fn expects(&self, outcome: &Outcome) -> bool {
        let statuses = &outcome.statuses;
        let is_fine = match self.note("expect") {
            Some(expected) => statuses.iter().map(u16::to_string).eq(expected.split(' ')),
            None => statuses.iter().all(|status| (200..300).contains(status)),
        };
        is_fine && outcome.failures.is_empty() && self.notes("prints").all(|text| outcome.output.contains(text))
    }

    fn notes<'b>(&'b self, name: &'b str) -> impl Iterator<Item = &'b str> {
        self.notes.iter().filter(move |(other, _)| other == name).map(|(_, value)| value.as_str())
    }
}

/// Returns all blocks of a document, in order.
pub fn blocks(document: &str) -> Vec<Block> {
    let (mut blocks, mut notes) = (Vec::new(), Vec::new());
    let mut lines = document.lines().zip(1..);
    while let Some((text, line)) = lines.next() {
        let inner = text.trim_start();
        if let Some(note) = note(inner) {
            notes.push(note);
        } else if let Some(language) = inner.strip_prefix("```") {
            let indentation = text.len() - inner.len();
            let within = lines.by_ref().map(|(text, _)| text).take_while(|text| text.trim_start() != "```");
            let within: Vec<&str> = within.map(|text| text.get(indentation..).unwrap_or_default()).collect();
            let (language, content) = (language.to_owned(), within.join("\n"));
            blocks.push(Block { language, content, line, notes: std::mem::take(&mut notes) });
        } else {
            assert!(notes.is_empty(), "the notes {notes:?} stand before `{text}`, which is no block");
        }
    }
    blocks
}

/// Returns the blocks that a test follows.
pub fn followed_blocks(document: &str) -> Vec<Block> {
    blocks(document).into_iter().filter(Block::is_followed).collect()
}

/// Returns the part of a document from a heading to the next one of the same level.
pub fn section<'d>(document: &'d str, heading: &str) -> &'d str {
    let (_, rest) = document.split_once(&format!("\n{heading}\n")).unwrap_or_else(|| panic!("`{heading}` is missing"));
    rest.split_once("\n## ").map_or(rest, |(section, _)| section)
}

/// Replaces a word, but not the end of a longer one.
pub fn replace_word(text: &str, word: &str, replacement: &str) -> String {
    let mut parts = text.split(word);
    let mut replaced = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_end = replaced.ends_with(|letter: char| letter.is_ascii_alphanumeric() || letter == '_');
        replaced += if is_end { word } else { replacement };
        replaced += part;
    }
    replaced
}

fn note(line: &str) -> Option<(String, String)> {
    let (name, value) = line.strip_prefix("<!-- ")?.strip_suffix(" -->")?.split_once(": ")?;
    NOTES.contains(&name).then(|| (name.to_owned(), value.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_has_its_language_its_text_and_its_notes() {
        let document =
            "a\n\n<!-- prints: b -->\n<!-- in: c -->\n```sh\none\n  two\n```\n\n- d\n\n  ```toml\n  e\n  ```\n";
        let [commands, settings] = blocks(document).try_into().expect("two blocks");
        assert_eq!((commands.language.as_str(), commands.content.as_str(), commands.line), ("sh", "one\n  two", 5));
        assert_eq!((commands.note("prints"), commands.note("in"), commands.note("file")), (Some("b"), Some("c"), None));
        assert_eq!((settings.language.as_str(), settings.content.as_str()), ("toml", "e"));
        assert!(commands.is_followed() && !settings.is_followed());
    }

    #[test]
    fn a_word_is_replaced_where_it_stands_alone() {
        assert_eq!(replace_word("MY_KEY=KEY u:KEY@h", "KEY", "x"), "MY_KEY=x u:x@h");
    }
}
