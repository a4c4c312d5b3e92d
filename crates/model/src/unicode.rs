//! Texts that look alike: other Unicode forms of the same characters, and invisible characters.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;

use crate::text::fold;

/// The form in which names are stored: letters composed with their accents (NFC).
pub fn composed(text: &str) -> Cow<'_, str> {
    if text.is_ascii() { Cow::Borrowed(text) } else { Cow::Owned(text.nfc().collect()) }
}

/// The decomposed form (NFD), if it differs. Names from before normalization may have it.
pub fn decomposed(text: &str) -> Option<String> {
    if text.is_ascii() {
        return None;
    }
    let apart: String = text.nfd().collect();
    (apart != text).then_some(apart)
}

/// The form that is equal for names that differ only by letter case or Unicode form (NFKC).
pub fn alike(text: &str) -> String {
    if text.is_ascii() {
        return fold(text);
    }
    // NFKC may produce a letter that has a case, and folding may produce one that needs to be composed.
    fold(&text.nfkc().collect::<String>()).nfkc().collect()
}

/// Returns whether a character is invisible, or changes the direction of the text that follows. Covers the characters
/// that Unicode calls ignorable, and blank characters that are not classified as whitespace.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}')
        || matches!(c, '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(c, '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}')
        || matches!(c, '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}')
        || matches!(c, '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_become_one_and_plain_text_stays() {
        assert!(matches!(composed("plain"), Cow::Borrowed("plain")));
        assert_eq!(composed("u\u{308}n"), "\u{fc}n");
        assert_eq!(composed("\u{fc}n"), "\u{fc}n");
        assert_eq!(
            (decomposed("\u{fc}n"), decomposed("plain"), decomposed("日")),
            (Some("u\u{308}n".into()), None, None)
        );
    }

    #[test]
    fn names_that_look_alike_share_a_text() {
        for (one, other) in [
            ("Cat", "cAT"),
            ("\u{fc}", "U\u{308}"),
            ("ﬁsh", "FISH"),
            ("ｃａｔ", "cat"),
            ("Ⅳ", "iv"),
            ("Å", "å"),
            ("ß", "SS"),
        ] {
            assert_eq!(alike(one), alike(other), "{one}");
            assert_eq!(alike(&alike(one)), alike(one), "{one}");
        }
        assert_ne!(alike("cat"), alike("сat"), "another alphabet is another name");
    }

    #[test]
    fn what_nobody_sees_is_hidden() {
        for hidden in
            "\u{0}\u{ad}\u{34f}\u{61c}\u{115f}\u{200b}\u{200e}\u{202e}\u{2066}\u{2069}\u{3164}\u{fe0f}\u{feff}\u{e0041}"
                .chars()
        {
            assert!(is_hidden(hidden), "{hidden:?}");
        }
        assert!(!"a é 日本 ☺ - ~+@".chars().any(is_hidden));
    }
}
