//! JSON bodies: bounded, strict, with errors that name the field.

mod path;
mod spelling;

use std::fmt;

use axum::{
    body::Body,
    extract::{FromRequest, Request},
    http::StatusCode,
};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde::{
    Deserialize, Deserializer,
    de::{DeserializeOwned, DeserializeSeed, Error as _, MapAccess, SeqAccess, Visitor},
};
use serde_json::{Map, Number, Value};

use crate::error::{Failure, Result, too_slow_answer};

use path::ValuePath;
use spelling::{Spelled, fields_of};

/// The most bytes of a JSON body.
const BODY_BYTES: usize = 256 * 1024;

/// The most bytes of a JSON body that is a list.
const LIST_BYTES: usize = 1024 * 1024;

/// The JSON object in the body of a request. Its content type does not matter; unknown fields are ignored, unless they
/// look like misspellings of known ones.
pub struct JsonBody<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for JsonBody<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, _: &S) -> Result<Self> {
        understand_object(read(request.into_body(), BODY_BYTES).await?).map(Self)
    }
}

/// The same for a body that may be absent, which counts as an empty object.
pub struct OptionalJsonBody<T>(pub T);

impl<T: DeserializeOwned + Default, S: Send + Sync> FromRequest<S> for OptionalJsonBody<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, _: &S) -> Result<Self> {
        let bytes = collect(request.into_body(), BODY_BYTES).await?;
        if is_blank(&bytes) { Ok(Self(T::default())) } else { understand_object(parse(&bytes)?).map(Self) }
    }
}

/// The same object read as two types: the fields set only on creation, and the fields that may change later. A single
/// type with the other flattened into it could not name the wrong field.
pub struct JsonParts<A, B>(pub A, pub B);

impl<A: DeserializeOwned, B: DeserializeOwned, S: Send + Sync> FromRequest<S> for JsonParts<A, B> {
    type Rejection = Failure;

    async fn from_request(request: Request, state: &S) -> Result<Self> {
        // If no field is required, a missing body is as good as an empty one; else the error names the missing field.
        let OptionalJsonBody(fields) = OptionalJsonBody::<Map<String, Value>>::from_request(request, state).await?;
        let value = Value::Object(fields);
        Ok(Self(understand_part(value.clone(), fields_of::<B>())?, understand_part(value, fields_of::<A>())?))
    }
}

/// The list of JSON objects in the body of a request.
pub struct JsonList<T>(pub Vec<T>);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for JsonList<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, _: &S) -> Result<Self> {
        let value = read(request.into_body(), LIST_BYTES).await?;
        match value.as_array().map(|items| items.iter().position(|item| !item.is_object())) {
            None => Err(Failure::bad_request("The body must be a JSON list")),
            Some(Some(place)) => Err(Failure::bad_request(format!("[{place}]: it must be a JSON object"))),
            Some(None) => understand(value).map(Self),
        }
    }
}

async fn read(body: Body, limit: usize) -> Result<Value> {
    let bytes = collect(body, limit).await?;
    if is_blank(&bytes) {
        return Err(Failure::bad_request("A JSON body is required"));
    }
    parse(&bytes)
}

/// A body of white space counts as no body.
fn is_blank(bytes: &[u8]) -> bool {
    bytes.trim_ascii().is_empty()
}

/// Deserializes the fields of a body.
pub fn understand_fields<T: DeserializeOwned>(fields: Map<String, Value>) -> Result<T> {
    understand(Value::Object(fields))
}

fn understand_object<T: DeserializeOwned>(value: Value) -> Result<T> {
    // Serde would accept a list as an object's fields in order.
    if value.is_object() { understand(value) } else { Err(Failure::bad_request("The body must be a JSON object")) }
}

fn understand<T: DeserializeOwned>(value: Value) -> Result<T> {
    understand_part(value, &[])
}

/// The same for an object with some fields that another type reads.
fn understand_part<T: DeserializeOwned>(value: Value, others: &'static [&'static str]) -> Result<T> {
    let path = ValuePath::root();
    let read = T::deserialize(Spelled::new(value, others, path.clone()));
    read.map_err(|error| Failure::bad_request(path.explain(&error)))
}

async fn collect(body: Body, limit: usize) -> Result<bytes::Bytes> {
    match Limited::new(body, limit).collect().await {
        Ok(collected) => Ok(collected.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => {
            Err(Failure::new(StatusCode::PAYLOAD_TOO_LARGE, format!("The JSON body is larger than {limit} bytes")))
        }
        Err(error) => Err(too_slow_answer(&*error)
            .unwrap_or_else(|| Failure::new(StatusCode::REQUEST_TIMEOUT, "The body is incomplete"))),
    }
}

fn parse(bytes: &[u8]) -> Result<Value> {
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let value = Strict.deserialize(&mut reader).and_then(|value| reader.end().map(|()| value));
    value.map_err(|error| Failure::bad_request(format!("The body is not valid JSON: {error}")))
}

/// Reads a value and rejects ambiguous input: repeated keys and NUL characters.
struct Strict;

impl<'de> DeserializeSeed<'de> for Strict {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> std::result::Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> std::result::Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> std::result::Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> std::result::Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> std::result::Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> std::result::Result<Value, E> {
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("a number is out of range"))
    }

    fn visit_str<E: serde::de::Error>(self, value: &str) -> std::result::Result<Value, E> {
        check_text(value).map(Value::String)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> std::result::Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = list.next_element_seed(Strict)? {
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> std::result::Result<Value, A::Error> {
        let mut values = Map::new();
        while let Some(Key(key)) = fields.next_key()? {
            let value = fields.next_value_seed(Strict)?;
            if values.contains_key(&key) {
                return Err(A::Error::custom(format_args!("the key `{key}` is given twice")));
            }
            values.insert(key, value);
        }
        Ok(Value::Object(values))
    }
}

struct Key(String);

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        check_text::<D::Error>(&text).map(Key)
    }
}

/// Rejects NUL, which PostgreSQL's text type cannot store.
fn check_text<E: serde::de::Error>(text: &str) -> std::result::Result<String, E> {
    if text.contains('\0') { Err(E::custom("a text holds a NUL character")) } else { Ok(text.to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(json: &str) -> String {
        match parse(json.as_bytes()) {
            Ok(value) => value.to_string(),
            Err(failure) => format!("{failure:?}"),
        }
    }

    #[test]
    fn plain_values_are_kept() {
        let text = r#"{"a":[1,-2,1.5,null,true,"x"],"b":{"c":{}}}"#;
        assert_eq!(message(text), text);
    }

    #[test]
    fn errors_name_the_innermost_value() {
        #[derive(Debug, Deserialize)]
        struct Rule {
            #[allow(dead_code, reason = "only read")]
            port: Option<u16>,
        }
        #[derive(Debug, Deserialize)]
        struct Rules {
            #[allow(dead_code, reason = "only read")]
            rules: Vec<Rule>,
        }
        let refused = |json| {
            let value = parse(json).expect("JSON");
            format!("{:?}", understand::<Rules>(value).expect_err("refused"))
        };
        assert!(refused(br#"{"rules":[{},{"port":"x"}]}"#).contains("\"rules[1].port: invalid type: string"));
        assert!(refused(br#"{"rules":[3]}"#).contains("\"rules[0]: invalid type: integer"));
        assert!(refused(br#"{"rules":[{"prot":3}]}"#).contains("\"rules[0]: 'prot' is not a field"));
        assert!(refused(b"{}").contains("\"missing field `rules`"));
    }

    #[test]
    fn ambiguous_texts_are_refused() {
        assert!(message(r#"{"a":1,"a":2}"#).contains("the key `a` is given twice"));
        assert!(message(r#"{"a":{"b":1,"b":1}}"#).contains("the key `b` is given twice"));
        assert!(message(r#""a\u0000b""#).contains("NUL"));
        assert!(message(r#"{"a\u0000":1}"#).contains("NUL"));
        assert!(message("1e400").contains("out of range"));
        assert!(message(&format!("{}{}", "[".repeat(200), "]".repeat(200))).contains("recursion limit"));
        assert!(message("{} {}").contains("trailing"));
        assert!(message("\"\\ud800\"").contains("not valid JSON"));
    }
}
