//! Clauses of a search as users write them.

use serde_json::{Value, json};

use crate::error::{Error, Result};

/// Parses `name=value`. The value is JSON, a list of words, or an interval, which the server parses.
pub(super) fn parse(text: &str) -> Result<Value> {
    let (name, value) = text.split_once('=').ok_or_else(|| Error::usage(format!("`{text}` is not name=value")))?;
    let value = match serde_json::from_str(value) {
        Ok(Value::Object(_)) | Err(_) => Value::String(value.to_owned()),
        // Two numbers in brackets mean an interval far more often than a list.
        Ok(Value::Array(items)) if items.len() == 2 && items.iter().all(Value::is_number) => {
            Value::String(value.to_owned())
        }
        Ok(value) => value,
    };
    Ok(json!({ name: value }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_passed_on_as_text() {
        assert_eq!(parse("size=[1,5]").expect("a clause"), json!({"size": "[1,5]"}));
        assert_eq!(parse("size=]1,").expect("a clause"), json!({"size": "]1,"}));
        assert_eq!(parse("os=[\"a\",\"b\"]").expect("a clause"), json!({"os": ["a", "b"]}));
        assert_eq!(parse("free=true").expect("a clause"), json!({"free": true}));
    }
}
