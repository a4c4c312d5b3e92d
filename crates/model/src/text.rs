//! Texts and labels written by users.

use crate::unicode::is_hidden;

/// Maximum length of a full name in bytes.
const FULL_NAME_BYTES: usize = 200;

/// Maximum length of a description in bytes.
const TEXT_BYTES: usize = 10_000;

/// Maximum length of a URL, a tag or a file name in bytes.
const LINE_BYTES: usize = 1_000;

/// Maximum number of labels, and the maximum length of one in bytes.
const LABELS: usize = 100;
const LABEL_BYTES: usize = 100;

/// Folds the letter case of a text, in the same way for both database engines: first to upper case, then to lower case.
///
/// Each character folds on its own, so that a part of a text folds to a part of the folded text.
pub fn fold(text: &str) -> String {
    text.chars().flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect()
}

/// Validates a text of several lines.
pub fn check_text(text: &str) -> Result<(), &'static str> {
    match text {
        _ if text.len() > TEXT_BYTES => Err("it is longer than 10,000 bytes"),
        _ if text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) => {
            Err("it holds a control character")
        }
        _ => Ok(()),
    }
}

/// Validates a text of one line.
pub fn check_line(text: &str) -> Result<(), &'static str> {
    match text {
        _ if text.len() > LINE_BYTES => Err("it is longer than 1,000 bytes"),
        _ if text.chars().any(char::is_control) => Err("it holds a control character"),
        _ => Ok(()),
    }
}

/// Validates a list of labels.
pub fn check_labels(labels: &[String]) -> Result<(), &'static str> {
    match labels {
        _ if labels.len() > LABELS => Err("there are more than 100"),
        _ if labels.iter().any(|label| label.trim().is_empty()) => Err("one is empty"),
        _ if labels.iter().any(|label| label.len() > LABEL_BYTES) => Err("one is longer than 100 bytes"),
        _ if labels.iter().any(|label| label.chars().any(char::is_control)) => Err("one holds a control character"),
        _ if labels.iter().any(|label| label.chars().any(is_hidden)) => Err("one holds an invisible character"),
        _ => Ok(()),
    }
}

/// Validates a full name: printable and not too long.
pub fn check_full_name(text: &str) -> Result<(), &'static str> {
    match text {
        _ if text.len() > FULL_NAME_BYTES => Err("it is longer than 200 bytes"),
        _ if text.chars().any(char::is_control) => Err("it holds a control character"),
        _ if text.chars().any(is_hidden) => Err("it holds an invisible character"),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letter_case_is_folded_character_by_character() {
        for (text, folded) in [("AbC", "abc"), ("ÄÖÜ", "äöü"), ("Straße", "strasse"), ("ΟΔΟΣ", "οδοσ"), ("ς", "σ")]
        {
            assert_eq!(fold(text), folded);
            assert_eq!(fold(&fold(text)), folded);
        }
        assert_eq!(fold("ЖЗ_%*日本"), "жз_%*日本");
    }

    #[test]
    fn texts_have_lines_and_lines_have_none() {
        assert!(check_text("one\ntwo\tthree").is_ok());
        assert!(check_text("a\u{7}").is_err());
        assert!(check_text(&"x".repeat(10_001)).is_err());
        assert!(check_line("https://example.org").is_ok());
        assert!(check_line("a\nb").is_err());
    }

    #[test]
    fn labels_are_few_short_words() {
        assert!(check_labels(&["a b".into(), "é".into()]).is_ok());
        for bad in
            [vec![String::new()], vec![" ".into()], vec!["a\nb".into()], vec!["x".repeat(101)], vec!["x".into(); 101]]
        {
            assert!(check_labels(&bad).is_err());
        }
    }

    #[test]
    fn names_for_people_are_one_short_line() {
        assert!(check_full_name("Ada, Countess of Lovelace").is_ok());
        assert!(check_full_name("a\nb").is_err());
        assert!(check_full_name(&"x".repeat(201)).is_err());
    }
}
