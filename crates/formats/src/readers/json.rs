//! JSON within limits.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// The maximum nesting depth of lists and objects.
const DEPTH: usize = 64;

/// Parses JSON. Of two equal keys in one object the last one counts, as in JavaScript.
pub fn parse(bytes: &[u8]) -> Result<Value, String> {
    check_depth(bytes)?;
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    serde_json::from_slice(bytes).map_err(|error| format!("it is not valid JSON: {error}"))
}

/// Parses JSON in which no object has a key twice.
pub fn parse_unique(bytes: &[u8]) -> Result<Value, String> {
    check_depth(bytes)?;
    let value: Unique = serde_json::from_slice(bytes).map_err(|error| format!("it is not valid JSON: {error}"))?;
    Ok(value.0)
}

/// Checks the nesting before a parser follows it.
fn check_depth(bytes: &[u8]) -> Result<(), String> {
    let (mut depth, mut is_text, mut is_escaped) = (0_usize, false, false);
    for byte in bytes {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = is_text,
            b'"' => is_text = !is_text,
            b'[' | b'{' if !is_text => depth += 1,
            b']' | b'}' if !is_text => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEPTH {
            return Err(format!("its JSON is nested more than {DEPTH} levels deep"));
        }
    }
    Ok(())
}

/// A value whose objects have every key once.
struct Unique(Value);

impl<'de> Deserialize<'de> for Unique {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(UniqueVisitor).map(Unique)
    }
}

struct UniqueVisitor;

impl<'de> Visitor<'de> for UniqueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(Unique(value)) = list.next_element()? {
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(key) = object.next_key::<String>()? {
            let Unique(value) = object.next_value()?;
            if map.contains_key(&key) {
                return Err(Error::custom(format_args!("key '{}' appears twice", super::quoted(&key))));
            }
            map.insert(key, value);
        }
        Ok(Value::Object(map))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn nesting_is_bounded() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(parse(nested(64).as_bytes()).is_ok());
        let refusal = Err("its JSON is nested more than 64 levels deep".to_owned());
        assert_eq!(parse(nested(65).as_bytes()), refusal);
        assert_eq!(parse_unique(nested(1_000).as_bytes()), refusal);
        let text = json!({ "a": format!("{}\\\"", "[".repeat(100)) });
        assert_eq!(parse(text.to_string().as_bytes()), Ok(text));
    }

    #[test]
    fn keys_are_unique_or_the_last_one_counts() {
        let text = br#"{"a":{"b":1,"b":2}}"#;
        assert_eq!(parse(text), Ok(json!({ "a": { "b": 2 } })));
        let refusal = parse_unique(text).expect_err("a key appears twice");
        assert!(refusal.starts_with("it is not valid JSON: key 'b' appears twice"), "{refusal}");
    }

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            "\\PC{0,8}".prop_map(Value::from),
        ];
        leaf.prop_recursive(5, 40, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                prop::collection::btree_map("\\PC{0,6}", inner, 0..6)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn both_parsers_read_what_is_written(value in value()) {
            let text = value.to_string();
            prop_assert_eq!(parse(text.as_bytes()), Ok(value.clone()));
            prop_assert_eq!(parse_unique(text.as_bytes()), Ok(value));
        }

        #[test]
        fn any_text_is_read_or_refused(text in "[\\[\\]{}\":,a\\\\1]{0,30}") {
            prop_assert_eq!(parse_unique(text.as_bytes()).is_ok(), parse_unique(text.as_bytes()).is_ok());
            let _ = parse(text.as_bytes());
        }
    }
}
