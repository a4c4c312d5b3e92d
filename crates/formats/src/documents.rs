//! Parts that the documents of several formats share.

use model::timestamp::Timestamp;

/// Formats a time in UTC with seconds: `2026-11-16T10:00:00Z`.
pub fn seconds(time: Timestamp) -> String {
    time.to_second_text().replace("+0000", "Z")
}

/// Removes control characters from a foreign text, except line breaks and tabs, and cuts it to this many characters.
/// So it cannot hold the marker of the repository's URL.
pub fn clean(text: &str, characters: usize) -> String {
    let is_allowed = |c: &char| !c.is_control() || matches!(c, '\n' | '\t');
    text.trim().chars().filter(is_allowed).take(characters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::BASE;

    #[test]
    fn times_end_with_seconds() {
        assert_eq!(seconds(Timestamp::from_millis(1_767_268_800_999)), "2026-01-01T12:00:00Z");
    }

    #[test]
    fn foreign_texts_hold_no_marker() {
        assert_eq!(clean(&format!(" a\r\n{BASE}\t!  "), 100), "a\nbase\t!");
        assert_eq!(clean("abc", 2), "ab");
    }
}
