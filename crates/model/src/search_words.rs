//! The words of a search through names, descriptions and labels.

use crate::{search_term::SearchTerm, unicode::alike};

/// The most words of a search; more would not narrow it.
const WORDS: usize = 8;

/// The characters that separate the words of a name.
pub const SEPARATORS: [char; 7] = ['-', '_', '.', '/', ':', '@', '+'];

/// Words that must all occur in a name, a description or the labels of something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchWords {
    words: Vec<SearchTerm>,
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

    /// The whole text with single spaces for everything that separates words, as names are ranked.
    pub fn whole(&self) -> &str {
        &self.whole
    }
}

/// Puts a space for each separator, and single spaces for several.
fn spaced(text: &str) -> String {
    let words = text.split(|c: char| c.is_whitespace() || SEPARATORS.contains(&c)).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_words_and_a_whole() {
        let words = SearchWords::parse("  JSON_parser  Fast ").expect("valid").expect("words");
        let folded: Vec<&str> = words.words().iter().map(SearchTerm::folded).collect();
        assert_eq!(folded, ["json_parser", "fast"]);
        assert_eq!(words.whole(), "json parser fast");
    }

    #[test]
    fn words_are_bounded() {
        assert_eq!(SearchWords::parse("  "), Ok(None));
        assert!(SearchWords::parse("a b c d e f g h").is_ok());
        assert!(SearchWords::parse("a b c d e f g h i").is_err());
        assert!(SearchWords::parse(&"x".repeat(201)).is_err());
    }
}
