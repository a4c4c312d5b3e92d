//! The names with a common prefix, as a range in byte order.

/// This many of the last Unicode character sort after every name.
const AFTER_EVERY_NAME: usize = 64;

/// The names from `from` up to, but not including, `to`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameRange {
    /// The first possible name in the range.
    pub from: String,
    /// The first possible name after the range.
    pub to: String,
}

impl NameRange {
    /// Returns the range of names that begin with this text; an empty text matches all.
    pub fn beginning_with(prefix: &str) -> Self {
        let mut characters: Vec<char> = prefix.chars().collect();
        // Finds the next text that is not longer: increments the last character, and drops it if it has no successor.
        while let Some(last) = characters.pop() {
            if let Some(next) = next(last) {
                characters.push(next);
                return Self { from: prefix.to_owned(), to: characters.into_iter().collect() };
            }
        }
        Self { from: prefix.to_owned(), to: char::MAX.to_string().repeat(AFTER_EVERY_NAME) }
    }
}

/// The next character in byte order; surrogates are skipped.
fn next(character: char) -> Option<char> {
    (character..=char::MAX).nth(1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_end_is_the_next_text() {
        let end = |prefix| NameRange::beginning_with(prefix).to;
        assert_eq!(end("ab"), "ac");
        assert_eq!(end("a\u{d7ff}"), "a\u{e000}");
        assert_eq!(end("a\u{10ffff}"), "b");
        assert_eq!(end("é"), "ê");
    }

    proptest! {
        #[test]
        fn a_name_is_in_the_range_when_it_begins_so(prefix in "\\PC{0,3}", name in "\\PC{0,20}") {
            let range = NameRange::beginning_with(&prefix);
            let joined = format!("{prefix}{name}");
            prop_assert!(range.from <= joined && joined < range.to);
            prop_assert_eq!(range.from <= name && name < range.to, name.starts_with(&prefix));
        }
    }
}
