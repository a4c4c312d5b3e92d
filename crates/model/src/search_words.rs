//! The words of a search through names, descriptions and labels.

use crate::{search_term::SearchTerm, unicode::alike};

/// The most words of a search; more would not narrow it.
const WORDS: usize = 8;

/// The characters that separate the words of a name.
const SEPARATORS: [char; 7] = ['-', '_', '.', '/', ':', '@', '+'];

/// Words that must all occur in a name, a description or the labels of something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchWords {
    words: Vec<SearchTerm>,
    /// The text between spaces.
    whole: String,
}

impl SearchWords {
    /// Validates a text; one without words is `None`.
    pub fn parse(text: &str) -> Result<Option<Self>, &'static str> {
        SearchTerm::parse(text)?;
        let mut words = Vec::new();
        for word in text.split_whitespace() {
            words.extend(SearchTerm::parse(word)?);
        }
        match words.len() {
            0 => Ok(None),
            count if count > WORDS => Err("it has more than 8 words"),
            _ => Ok(Some(Self { words, whole: spaced(&alike(text)) })),
        }
    }

    /// The words.
    pub fn words(&self) -> &[SearchTerm] {
        &self.words
    }

    /// Returns how well something with this folded name and these folded labels matches: the smaller, the better. First
    /// comes the name itself, then a name that begins with the text, has it as a word, or a label that is the text, then a
    /// word that begins with it, and a name that contains it. Everything else matched in the description.
    pub fn rank(&self, folded_name: &str, folded_labels: &str) -> u8 {
        let (name, whole) = (spaced(folded_name), self.whole.as_str());
        let (beginning, text) = (&whole[..whole.len() - 1], whole.trim_matches(' '));
        if name == whole {
            0
        } else if name.starts_with(beginning) {
            1
        } else if name.contains(whole) {
            2
        } else if folded_labels.lines().any(|label| spaced(label) == whole) {
            3
        } else if name.contains(beginning) {
            4
        } else if name.contains(text) {
            5
        } else {
            6
        }
    }

    /// The beginning of the names that match best, with a hyphen between several words.
    pub fn best_name(&self) -> String {
        self.words.iter().map(SearchTerm::alike).collect::<Vec<_>>().join("-")
    }
}

/// Puts a space for each separator, single spaces for several, and one at the beginning and at the end.
fn spaced(text: &str) -> String {
    let mut spaced = String::with_capacity(text.len() + 2);
    spaced.push(' ');
    for word in text.split(|c: char| c.is_whitespace() || SEPARATORS.contains(&c)).filter(|word| !word.is_empty()) {
        spaced.push_str(word);
        spaced.push(' ');
    }
    spaced
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_words_and_a_whole() {
        let words = SearchWords::parse("  JSON_parser  Fast ").expect("valid").expect("words");
        let folded: Vec<&str> = words.words().iter().map(SearchTerm::folded).collect();
        assert_eq!(folded, ["json_parser", "fast"]);
        assert_eq!(words.best_name(), "json_parser-fast");
    }

    #[test]
    fn a_better_match_has_a_smaller_rank() {
        let words = SearchWords::parse("JSON parser").expect("valid").expect("words");
        let names = [
            ("json-parser", ""),
            ("json_parser-fast", ""),
            ("fast.json-parser.c", ""),
            ("fast", "c\njson parser"),
            ("fast-json-parsers", ""),
            ("myjson-parser", ""),
            ("parser-json", ""),
        ];
        let ranks: Vec<u8> = names.iter().map(|(name, labels)| words.rank(name, labels)).collect();
        assert_eq!(ranks, [0, 1, 2, 3, 4, 5, 6]);
    }

    #[test]
    fn words_are_bounded() {
        assert_eq!(SearchWords::parse("  "), Ok(None));
        assert!(SearchWords::parse("a b c d e f g h").is_ok());
        assert!(SearchWords::parse("a b c d e f g h i").is_err());
        assert!(SearchWords::parse(&"x".repeat(201)).is_err());
    }
}
