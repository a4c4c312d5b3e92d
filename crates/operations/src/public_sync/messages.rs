//! Encodes text for a registry and decodes messages from it.

use serde_json::Value;

/// Encodes text as a path segment or a query value.
pub(super) fn encoded(text: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-' | b'~');
    text.bytes()
        .map(|byte| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

/// Extracts messages from an error response: its error texts, or the plain text of an HTML page.
pub(super) fn extract(body: &[u8]) -> Vec<String> {
    if let Ok(json) = serde_json::from_slice::<Value>(body) {
        let mut texts = Vec::new();
        collect(
            json.get("errors").or_else(|| json.get("error")).or_else(|| json.get("message")).unwrap_or(&json),
            &mut texts,
        );
        return texts;
    }
    let text = String::from_utf8_lossy(body);
    // Of a page, take the text between the tags.
    let words = text.split('<').enumerate().map(|(index, piece)| match index {
        0 => piece,
        _ => piece.split_once('>').map_or("", |(_, text)| text),
    });
    let words = words.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ");
    Some(words).filter(|words| !words.is_empty()).into_iter().collect()
}

/// Collects all texts of a value; of an error with a message, only the message.
pub(super) fn collect(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::String(text) => texts.push(text.clone()),
        Value::Array(values) => values.iter().for_each(|value| collect(value, texts)),
        Value::Object(fields) => match fields.get("msg").or_else(|| fields.get("message")) {
            Some(message) => collect(message, texts),
            None => fields.values().for_each(|value| collect(value, texts)),
        },
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_registry_says_is_found() {
        for (body, expected) in [
            (
                r#"{"errors":[{"id":"*","msg":"No profile"},{"id":"*","msg":"Nor another"}]}"#,
                vec!["No profile", "Nor another"],
            ),
            (r#"{"error":{"message":"Bad bundle"}}"#, vec!["Bad bundle"]),
            (r#"{"errors":{"pkg:maven/x":["No sources","No javadoc"]}}"#, vec!["No sources", "No javadoc"]),
            (r#"{"message":"Later"}"#, vec!["Later"]),
            ("<html><head><title>401</title></head>\n<body>Not <b>you</b></body></html>", vec!["401 Not you"]),
            ("plain", vec!["plain"]),
            ("", vec![]),
        ] {
            assert_eq!(extract(body.as_bytes()), expected, "{body}");
        }
    }

    #[test]
    fn a_text_keeps_its_place_in_an_address() {
        assert_eq!(encoded("a/b?c=d&e f+é~"), "a%2Fb%3Fc%3Dd%26e%20f%2B%C3%A9~");
    }
}
