//! Attributes as users write them.

use serde_json::Value;

use crate::error::{Error, Result};

/// Parses `name=value` or `name:type=value`. A value that is not JSON is text.
pub(super) fn parse(text: &str) -> Result<api::NewAttribute> {
    let wrong = || Error::usage(format!("`{text}` is not name=value"));
    let (left, right) = text.split_once('=').ok_or_else(wrong)?;
    let (name, kind) = match left.split_once(':') {
        Some((name, kind)) => (name, Some(kind.to_owned())),
        None => (left, None),
    };
    if name.is_empty() {
        return Err(wrong());
    }
    let values = match value(right, kind.as_deref()) {
        Value::Null => None,
        Value::Array(values) => Some(values),
        one => Some(vec![one]),
    };
    Ok(api::NewAttribute { name: name.to_owned(), values, kind })
}

/// Parses a value. Text stays text if the type says so: `1.10` as a version is not the number 1.1.
fn value(text: &str, kind: Option<&str>) -> Value {
    let as_text = || Value::String(text.to_owned());
    match (kind, serde_json::from_str(text)) {
        (_, Ok(list @ Value::Array(_))) => list,
        (Some("string" | "version" | "date"), _) => as_text(),
        (_, Ok(value)) if !value.is_object() => value,
        _ => as_text(),
    }
}

/// Formats a value for display.
pub(super) fn word(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn parsed(text: &str) -> Value {
        serde_json::to_value(parse(text).expect("an attribute")).expect("plain data")
    }

    #[test]
    fn values_are_json_or_text() {
        assert_eq!(parsed("size=5"), json!({"name": "size", "values": [5], "type": null}));
        assert_eq!(parsed("os=linux"), json!({"name": "os", "values": ["linux"], "type": null}));
        assert_eq!(parsed("os=[\"a\",\"b\"]"), json!({"name": "os", "values": ["a", "b"], "type": null}));
        assert_eq!(parsed("abi:version=1.10"), json!({"name": "abi", "values": ["1.10"], "type": "version"}));
        assert_eq!(parsed("gone=null"), json!({"name": "gone", "values": null, "type": null}));
        assert!(parse("=5").is_err() && parse("size").is_err());
    }
}
