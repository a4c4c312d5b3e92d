//! Escaping for HTML and URLs.

use std::fmt::Write;

/// Escapes a text for HTML, also within double quotes.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#x27;"),
            other => escaped.push(other),
        }
    }
    escaped
}

/// Encodes a segment of a URL's path.
pub(super) fn encode_segment(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            encoded.push(char::from(byte));
        } else {
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_characters_are_escaped() {
        assert_eq!(escape(r#"<a b="c" d='&'>"#), "&lt;a b=&quot;c&quot; d=&#x27;&amp;&#x27;&gt;");
        assert_eq!(encode_segment("a-1!1.0+cpu_ü"), "a-1%211.0%2Bcpu_%C3%BC");
    }
}
