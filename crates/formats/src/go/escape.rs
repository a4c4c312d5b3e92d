//! Upper-case letters in URLs and files: `!` and the lower-case letter.

/// Escapes a module path or a version.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_ascii_uppercase() {
            escaped.push('!');
        }
        escaped.push(character.to_ascii_lowercase());
    }
    escaped
}

/// Reverses an escape; `None` if the text holds upper-case letters or a `!` before anything but a lower-case letter.
pub fn unescape(text: &str) -> Option<String> {
    let mut plain = String::with_capacity(text.len());
    let mut is_escaped = false;
    for character in text.chars() {
        match character {
            _ if is_escaped && !character.is_ascii_lowercase() => return None,
            _ if is_escaped => plain.push(character.to_ascii_uppercase()),
            'A'..='Z' => return None,
            '!' => {}
            other => plain.push(other),
        }
        is_escaped = !is_escaped && character == '!';
    }
    (!is_escaped).then_some(plain)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn upper_case_is_escaped() {
        assert_eq!(escape("github.com/Azure/x"), "github.com/!azure/x");
        assert_eq!(unescape("github.com/!azure/x").as_deref(), Some("github.com/Azure/x"));
        for bad in ["!Az", "Az", "a!", "!!a", "!1"] {
            assert_eq!(unescape(bad), None, "{bad}");
        }
    }

    proptest! {
        #[test]
        fn escapes_go_both_ways(text in "[a-zA-Z0-9./~_-]{0,20}") {
            prop_assert_eq!(unescape(&escape(&text)), Some(text));
        }

        #[test]
        fn a_text_has_one_escape(text in "[a-zA-Z!]{0,8}") {
            if let Some(plain) = unescape(&text) {
                prop_assert_eq!(escape(&plain), text);
            }
        }
    }
}
