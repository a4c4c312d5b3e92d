//! The markers for the URL and the name of a repository in generated texts. The server replaces them when it sends the
//! text, so the same text is right in every repository that shows the package.

use serde_json::Value;

/// Stands where the absolute URL of the repository must stand, without a slash at its end.
pub const BASE: &str = "\u{2}base\u{2}";

/// Stands where the name of the repository must stand.
pub const REPO: &str = "\u{2}repo\u{2}";

/// The same, escaped as JSON.
const ESCAPED_BASE: &str = "\\u0002base\\u0002";
const ESCAPED_REPO: &str = "\\u0002repo\\u0002";

/// Serializes JSON whose strings may hold the markers. The markers themselves stay unescaped.
pub fn json_text(value: &Value) -> String {
    value.to_string().replace(ESCAPED_BASE, BASE).replace(ESCAPED_REPO, REPO)
}

/// Returns whether a key or a string of a foreign document holds the character that begins the marker.
pub fn has_marker(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains('\u{2}'),
        Value::Array(values) => values.iter().any(has_marker),
        Value::Object(map) => map.iter().any(|(key, value)| key.contains('\u{2}') || has_marker(value)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_marker_stays_as_it_is() {
        assert_eq!(json_text(&json!({ "url": format!("{BASE}/a") })), "{\"url\":\"\u{2}base\u{2}/a\"}");
        assert_eq!(json_text(&json!(format!("{REPO}/a"))), "\"\u{2}repo\u{2}/a\"");
        assert!(has_marker(&json!([{ "a": "x\u{2}" }])) && has_marker(&json!({ "\u{2}": 1 })));
        assert!(!has_marker(&json!([{ "a": "base" }, null, 1, true])));
    }
}
