//! The part of a version behind its numbers: `-beta2`, `RC`, `-dev`.

/// The words for stabilities, in the order in which Composer tries them.
const WORDS: [&str; 9] = ["stable", "beta", "b", "rc", "alpha", "a", "patch", "pl", "p"];

/// A parsed modifier.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Modifier<'a> {
    /// The word as it is written; empty if there is none.
    pub(super) word: &'a str,
    /// The digits behind the word, with separators.
    pub(super) digits: &'a str,
    /// Whether it ends with `dev`.
    pub(super) is_dev: bool,
}

impl<'a> Modifier<'a> {
    /// Parses a whole modifier: `[._-]?((stable|beta|..)(([.-]?\d+)*)?)?([.-]?dev)?`.
    pub(super) fn parse(text: &'a str) -> Option<Self> {
        let separated = text.strip_prefix(['.', '_', '-']);
        separated.into_iter().chain([text]).find_map(Self::parse_word)
    }

    fn parse_word(text: &'a str) -> Option<Self> {
        let with_word = WORDS.iter().filter_map(|word| {
            let head = text.get(..word.len()).filter(|head| head.eq_ignore_ascii_case(word))?;
            let rest = &text[head.len()..];
            let (digits, rest) = rest.split_at(digits_length(rest));
            Some(Self { word: head, digits, is_dev: dev_end(rest)? })
        });
        let without = || Some(Self { is_dev: dev_end(text)?, ..Self::default() });
        with_word.into_iter().next().or_else(without)
    }

    /// The normal form of the word.
    pub(super) fn stability_word(self) -> String {
        match self.word.to_ascii_lowercase().as_str() {
            "a" => "alpha".to_owned(),
            "b" => "beta".to_owned(),
            "p" | "pl" => "patch".to_owned(),
            "rc" => "RC".to_owned(),
            other => other.to_owned(),
        }
    }
}

/// The length of `([.-]?\d+)*` at the start.
fn digits_length(text: &str) -> usize {
    let mut length = 0;
    loop {
        let rest = &text[length..];
        let separator = usize::from(rest.starts_with(['.', '-']));
        let digits = rest[separator..].bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 {
            return length;
        }
        length += separator + digits;
    }
}

/// Returns whether the rest is `dev`; `None` if it is something else.
fn dev_end(rest: &str) -> Option<bool> {
    if rest.is_empty() {
        return Some(false);
    }
    rest.strip_prefix(['.', '-']).unwrap_or(rest).eq_ignore_ascii_case("dev").then_some(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modifiers_have_word_digits_and_dev() {
        let parsed = |text| Modifier::parse(text).map(|m| (m.word, m.digits, m.is_dev));
        assert_eq!(parsed(""), Some(("", "", false)));
        assert_eq!(parsed("-beta.2-dev"), Some(("beta", ".2", true)));
        assert_eq!(parsed("RC1"), Some(("RC", "1", false)));
        assert_eq!(parsed("_p1.2"), Some(("p", "1.2", false)));
        assert_eq!(parsed(".DEV"), Some(("", "", true)));
        assert_eq!((parsed("x"), parsed("--dev"), parsed("-beta2x")), (None, Some(("", "", true)), None));
    }
}
