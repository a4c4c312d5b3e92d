//! Booleans, which old clients also send as the strings `"true"` and `"false"`.

use serde::{Deserializer, de};

/// Deserializes a boolean, or its text.
pub(crate) fn flag<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    deserializer.deserialize_any(Flag)
}

/// The same for a field that may be absent or null.
pub(crate) fn maybe_flag<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<bool>, D::Error> {
    deserializer.deserialize_option(MaybeFlag)
}

struct Flag;

impl de::Visitor<'_> for Flag {
    type Value = bool;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a boolean")
    }

    fn visit_bool<E>(self, value: bool) -> Result<bool, E> {
        Ok(value)
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<bool, E> {
        match value {
            _ if value.eq_ignore_ascii_case("true") => Ok(true),
            _ if value.eq_ignore_ascii_case("false") => Ok(false),
            _ => Err(E::invalid_type(de::Unexpected::Str(value), &self)),
        }
    }
}

struct MaybeFlag;

impl<'de> de::Visitor<'de> for MaybeFlag {
    type Value = Option<bool>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a boolean")
    }

    fn visit_none<E>(self) -> Result<Option<bool>, E> {
        Ok(None)
    }

    fn visit_unit<E>(self) -> Result<Option<bool>, E> {
        Ok(None)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<bool>, D::Error> {
        flag(deserializer).map(Some)
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::{Value, from_value, json};

    #[derive(Deserialize)]
    struct Body {
        #[serde(default, deserialize_with = "super::maybe_flag")]
        on: Option<bool>,
    }

    fn read(body: Value) -> Result<Option<bool>, String> {
        from_value::<Body>(body).map(|body| body.on).map_err(|error| error.to_string())
    }

    #[test]
    fn booleans_and_their_texts_are_taken() {
        for (given, read_as) in [
            (json!({}), None),
            (json!({"on": null}), None),
            (json!({"on": true}), Some(true)),
            (json!({"on": "true"}), Some(true)),
            (json!({"on": "False"}), Some(false)),
        ] {
            assert_eq!(read(given.clone()), Ok(read_as), "{given}");
        }
    }

    #[test]
    fn everything_else_is_refused() {
        for bad in [json!(1), json!(0), json!("1"), json!("yes"), json!(""), json!(" true"), json!([true])] {
            assert!(read(json!({ "on": bad })).is_err(), "{bad}");
        }
    }
}
