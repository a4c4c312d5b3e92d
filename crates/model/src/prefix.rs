//! The names that begin with a text, as a range in the order of their bytes.

/// Longer than every name, and of the last character there is.
const AFTER_EVERY_NAME: usize = 64;

/// Names from `from` on, up to but without `to`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameRange {
    /// The first name that could be in it.
    pub from: String,
    /// The first name after it.
    pub to: String,
}

impl NameRange {
    /// The names that begin with this text; with an empty one, all.
    pub fn beginning_with(prefix: &str) -> Self {
        let mut characters: Vec<char> = prefix.chars().collect();
        // The next text of no more length: the last character goes one up, and one that cannot is dropped.
        while let Some(last) = characters.pop() {
            if let Some(next) = next(last) {
                characters.push(next);
                return Self { from: prefix.to_owned(), to: characters.into_iter().collect() };
            }
        }
        Self { from: prefix.to_owned(), to: char::MAX.to_string().repeat(AFTER_EVERY_NAME) }
    }
}

/// The next character, which has the next bytes; surrogates are none.
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
