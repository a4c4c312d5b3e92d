//! The record of a package: the known keys of its info/index.json.

use serde_json::{Map, Value};

use crate::readers::{json, quoted};

/// The type of a key.
#[derive(Clone, Copy)]
enum KeyType {
    Text,
    Number,
    Texts,
    /// A text, a list of texts, or a truth value in old packages.
    TextOrList,
}

/// All keys that a record may have.
const KEYS: &[(&str, KeyType)] = &[
    ("arch", KeyType::Text),
    ("build", KeyType::Text),
    ("build_number", KeyType::Number),
    ("constrains", KeyType::Texts),
    ("depends", KeyType::Texts),
    ("features", KeyType::TextOrList),
    ("legacy_bz2_md5", KeyType::Text),
    ("legacy_bz2_size", KeyType::Number),
    ("license", KeyType::Text),
    ("license_family", KeyType::Text),
    ("name", KeyType::Text),
    ("noarch", KeyType::TextOrList),
    ("platform", KeyType::Text),
    ("python_site_packages_path", KeyType::Text),
    ("subdir", KeyType::Text),
    ("timestamp", KeyType::Number),
    ("track_features", KeyType::TextOrList),
    ("version", KeyType::Text),
];

/// Selects the known keys of an index.json and checks their types.
pub(super) fn select(bytes: &[u8]) -> Result<Map<String, Value>, String> {
    let Value::Object(mut all) = json::parse_unique(bytes)? else { return Err("it is not an object".to_owned()) };
    let mut record = Map::new();
    for (key, key_type) in KEYS {
        let Some(value) = all.remove(*key).filter(|value| !value.is_null()) else { continue };
        let is_texts = |value: &Value| value.as_array().is_some_and(|list| list.iter().all(Value::is_string));
        let (is_right, expected) = match key_type {
            KeyType::Text => (value.is_string(), "a text"),
            KeyType::Number => (value.as_u64().is_some_and(|number| number < 1 << 53), "a number below 2^53"),
            KeyType::Texts => (is_texts(&value), "a list of texts"),
            KeyType::TextOrList => {
                (value.is_string() || value.is_boolean() || is_texts(&value), "a text or a list of texts")
            }
        };
        if !is_right {
            return Err(format!("its '{key}' is not {expected}"));
        }
        record.insert((*key).to_owned(), value);
    }
    // Clients expect these.
    for key in ["depends", "constrains"] {
        record.entry(key).or_insert_with(|| Value::Array(Vec::new()));
    }
    record.entry("build_number").or_insert(Value::from(0));
    Ok(record)
}

/// The text of a key that must be there.
pub(super) fn required(record: &Map<String, Value>, key: &str) -> Result<String, String> {
    let text = record.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
    text.map(str::to_owned).ok_or_else(|| format!("it has no '{}'", quoted(key)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn known_keys_are_selected() {
        let record = select(br#"{"name":"a","depends":["b"],"unknown":{},"noarch":"python","license":null}"#);
        let expected = json!({"name": "a", "depends": ["b"], "noarch": "python", "constrains": [], "build_number": 0});
        assert_eq!(record.map(Value::Object), Ok(expected));
    }

    #[test]
    fn wrong_types_are_refused() {
        for (text, reason) in [
            (&br#"{"name":1}"#[..], "its 'name' is not a text"),
            (br#"{"depends":"a"}"#, "its 'depends' is not a list of texts"),
            (br#"{"depends":[1]}"#, "its 'depends' is not a list of texts"),
            (br#"{"timestamp":1.5}"#, "its 'timestamp' is not a number below 2^53"),
            (br#"{"build_number":-1}"#, "its 'build_number' is not a number below 2^53"),
            (br#"{"features":{}}"#, "its 'features' is not a text or a list of texts"),
            (b"[]", "it is not an object"),
        ] {
            assert_eq!(select(text), Err(reason.to_owned()));
        }
        assert!(select(br#"{"name":"a","name":"b"}"#).is_err());
    }
}
