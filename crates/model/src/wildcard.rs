//! Patterns that match whole file names: `*` matches any text, `?` one character, everything else itself.

use crate::{text::fold, unicode::composed};

/// Maximum length of a pattern in bytes: no file name is longer.
const PATTERN_BYTES: usize = 255;

/// The length of the character sequences in the trigram index.
const INDEXED_CHARACTERS: usize = 3;

/// A pattern. Letter case does not matter: names and patterns are compared in folded form, and `?` is one character of
/// that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wildcard(Vec<Token>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    /// These characters, at least one.
    Text(String),
    /// One character.
    One,
    /// Any number of characters.
    Any,
}

impl Wildcard {
    /// Parses a pattern; an empty one is `None`.
    pub fn parse(text: &str) -> Result<Option<Self>, &'static str> {
        match text {
            "" => Ok(None),
            _ if text.len() > PATTERN_BYTES => Err("it is longer than 255 bytes"),
            _ if text.chars().any(char::is_control) => Err("it holds a control character"),
            _ => Ok(Some(Self::read(&composed(text)))),
        }
    }

    fn read(text: &str) -> Self {
        let mut parts = Vec::new();
        for piece in text.split_inclusive(['*', '?']) {
            let literal = piece.trim_end_matches(['*', '?']);
            if !literal.is_empty() {
                parts.push(Token::Text(fold(literal)));
            }
            match (piece.chars().next_back(), parts.last()) {
                (Some('*'), Some(Token::Any)) => {}
                (Some('*'), _) => parts.push(Token::Any),
                // `*?` and `?*` mean the same. The star moves to the end, so that each pattern has one spelling.
                (Some('?'), Some(Token::Any)) => parts.insert(parts.len() - 1, Token::One),
                (Some('?'), _) => parts.push(Token::One),
                _ => {}
            }
        }
        Self(parts)
    }

    /// Returns whether the pattern matches the whole file name.
    pub fn matches(&self, name: &str) -> bool {
        let name: Vec<char> = fold(name).chars().collect();
        // The positions in the name that a match can have reached after each token.
        let mut ends = vec![false; name.len() + 1];
        ends[0] = true;
        for part in &self.0 {
            ends = part.ends_after(&ends, &name);
        }
        ends[name.len()]
    }

    /// The text that every matching name begins with, which may be empty.
    pub fn beginning(&self) -> &str {
        match self.0.first() {
            Some(Token::Text(text)) => text,
            _ => "",
        }
    }

    /// The texts between wildcards that are long enough for the trigram index.
    pub fn runs(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|part| match part {
            Token::Text(text) if text.chars().count() >= INDEXED_CHARACTERS => Some(text.as_str()),
            _ => None,
        })
    }

    /// All trigrams of these texts, each with its position. Trigrams that share a character are less than three
    /// positions apart.
    pub fn triples(&self) -> Vec<(usize, String)> {
        let mut triples = Vec::new();
        let mut place = 0;
        for run in self.runs() {
            let characters: Vec<char> = run.chars().collect();
            let windows = characters.windows(INDEXED_CHARACTERS).enumerate();
            triples.extend(windows.map(|(at, window)| (place + at, window.iter().collect())));
            place += characters.len() + INDEXED_CHARACTERS;
        }
        triples
    }

    /// Returns whether an index can find the candidates. Otherwise a search reads all names.
    pub fn is_selective(&self) -> bool {
        !self.beginning().is_empty() || self.runs().next().is_some()
    }

    /// The pattern for SQL's `LIKE`, where a backslash is the sign of escape, to match folded names.
    pub fn like(&self) -> String {
        self.like_with(|text| text.replace('\\', r"\\").replace('%', r"\%").replace('_', r"\_"))
    }

    /// The same with a custom function to escape each text.
    pub fn like_with(&self, write: impl Fn(&str) -> String) -> String {
        let parts = self.0.iter().map(|part| match part {
            Token::Text(text) => write(text),
            Token::One => "_".to_owned(),
            Token::Any => "%".to_owned(),
        });
        parts.collect()
    }
}

impl Token {
    /// Returns the positions that a match can have reached after this token, given those that it can have reached
    /// before.
    fn ends_after(&self, starts: &[bool], name: &[char]) -> Vec<bool> {
        let mut ends = vec![false; starts.len()];
        for start in (0..starts.len()).filter(|start| starts[*start]) {
            match self {
                Token::Text(text) => {
                    let mut rest = name[start..].iter();
                    if text.chars().all(|character| rest.next() == Some(&character)) {
                        ends[name.len() - rest.len()] = true;
                    }
                }
                Token::One if start < name.len() => ends[start + 1] = true,
                Token::One => {}
                Token::Any => {
                    ends[start..].fill(true);
                    break;
                }
            }
        }
        ends
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn pattern(text: &str) -> Wildcard {
        Wildcard::parse(text).expect(text).expect("not empty")
    }

    #[test]
    fn a_pattern_fits_the_whole_name() {
        for (text, name, fits) in [
            ("cat.jar", "cat.jar", true),
            ("cat.jar", "cat.jar2", false),
            ("cat.jar", "a-cat.jar", false),
            ("*.jar", ".jar", true),
            ("*.jar", "cat-1.0.jar", true),
            ("*.jar", "cat.jar.asc", false),
            ("cat*", "cat", true),
            ("c?t", "cat", true),
            ("c?t", "ct", false),
            ("c?t", "caat", false),
            ("*a*b*", "xxaxxbxx", true),
            ("*a*b*", "xxbxxaxx", false),
            ("*ab*ab", "abab", true),
            ("*ab*ab", "ab", false),
            ("??", "ab", true),
            ("*??", "a", false),
            ("*", "anything", true),
        ] {
            assert_eq!(pattern(text).matches(name), fits, "`{text}` and `{name}`");
        }
    }

    #[test]
    fn letter_case_does_not_matter_and_other_characters_are_plain() {
        assert!(pattern("CAT*.Jar").matches("cat-1.0.JAR"));
        assert!(pattern("STRASSE.*").matches("straße.txt"));
        assert!(pattern("100%_[a]\\!.txt").matches("100%_[a]\\!.txt"));
        assert!(!pattern("100%.txt").matches("100 percent.txt"));
        assert!(!pattern("a_c").matches("abc"));
        assert!(!pattern("[ab]").matches("a"));
        assert!(pattern("?日*").matches("x日本"));
    }

    #[test]
    fn indexes_are_told_what_is_plain() {
        let runs = |text| pattern(text).runs().map(str::to_owned).collect::<Vec<_>>().join(" ");
        assert_eq!(runs("*ab*cde*F-g?hi.j"), "cde f-g hi.j");
        assert_eq!(runs("a*b?c"), "");
        let triples = |text| pattern(text).triples().into_iter().map(|(place, text)| format!("{place}{text}"));
        assert_eq!(triples("ab*cdef*日本語").collect::<Vec<_>>(), ["0cde", "1def", "7日本語"]);
        assert_eq!(pattern("Ab*cde").beginning(), "ab");
        assert_eq!(pattern("?Ab").beginning(), "");
        for (text, is_selective) in [("a*", true), ("*a*", false), ("*abc", true), ("??", false), ("*ab?ab*", false)] {
            assert_eq!(pattern(text).is_selective(), is_selective, "{text}");
        }
    }

    #[test]
    fn a_pattern_has_one_spelling() {
        assert_eq!(pattern("a**b"), pattern("a*b"));
        assert_eq!(pattern("*?*?"), pattern("??*"));
        assert_eq!(pattern("A?**?*b").like(), "a__%b");
        assert_eq!(pattern(r"50%\_*").like(), r"50\%\\\_%");
        assert_eq!(Wildcard::parse(""), Ok(None));
        assert!(Wildcard::parse(&"x".repeat(255)).is_ok());
        assert!(Wildcard::parse(&"x".repeat(256)).is_err());
        assert!(Wildcard::parse("a\0b").is_err());
    }

    proptest! {
        #[test]
        fn a_name_fits_itself_with_wildcards_in_it(name in "[a-cß!%_.-]{1,8}", at in 0usize..8, length in 0usize..8) {
            let characters: Vec<char> = fold(&name).chars().collect();
            let start = at.min(characters.len());
            let end = (start + length).min(characters.len());
            let text = |part: &[char]| part.iter().collect::<String>();
            let (before, cut, after) = (&characters[..start], &characters[start..end], &characters[end..]);
            let starred = pattern(&format!("{}*{}", text(before), text(after)));
            prop_assert!(starred.matches(&name));
            let marks = format!("{}{}{}", text(before), "?".repeat(cut.len()), text(after));
            prop_assert!(pattern(&marks).matches(&name));
            let one_more = format!("?{marks}");
            prop_assert!(!pattern(&one_more).matches(&name));
        }

        #[test]
        fn what_indexes_are_told_holds_for_every_name_that_fits(text in "[ab*?-]{1,12}", name in "[ab-]{0,10}") {
            let pattern = pattern(&text);
            if pattern.matches(&name) {
                prop_assert!(name.starts_with(pattern.beginning()));
                prop_assert!(pattern.runs().all(|run| name.contains(run)));
            }
        }
    }
}
