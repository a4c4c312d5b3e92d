//! Text for XML documents.

use std::borrow::Cow;

use quick_xml::escape::escape;

/// Escapes text for elements and attributes. Characters that XML 1.0 forbids become `?`.
pub(super) fn text(text: &str) -> String {
    let is_forbidden = |character: char| matches!(character, '\0'..='\x08' | '\x0b' | '\x0c' | '\x0e'..='\x1f' | '\u{fffe}' | '\u{ffff}');
    let clean: Cow<'_, str> = if text.contains(is_forbidden) {
        text.chars().map(|character| if is_forbidden(character) { '?' } else { character }).collect()
    } else {
        text.into()
    };
    // A parser would turn a carriage return into a line end.
    escape(clean).replace('\r', "&#13;")
}

/// An element that contains only text.
pub(super) fn leaf(name: &str, content: &str) -> String {
    if content.is_empty() { format!("<{name}/>") } else { format!("<{name}>{}</{name}>", text(content)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_leave_its_element() {
        assert_eq!(leaf("a", "</a><b c=\"'&\x07\u{ffff}\r"), "<a>&lt;/a&gt;&lt;b c=&quot;&apos;&amp;??&#13;</a>");
        assert_eq!(leaf("a", ""), "<a/>");
        assert_eq!(text("é\n\t"), "é\n\t");
    }
}
