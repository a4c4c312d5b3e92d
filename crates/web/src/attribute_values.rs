//! Values of attributes in JSON.

use model::attribute::{Number, Scalar};
use serde_json::Value;

/// Converts a JSON value that is neither an object nor a list.
pub fn scalar(value: Value) -> std::result::Result<Scalar, &'static str> {
    match value {
        Value::Null => Ok(Scalar::Null),
        Value::Bool(value) => Ok(Scalar::Boolean(value)),
        Value::String(text) => Ok(Scalar::Text(text)),
        Value::Number(number) => Number::parse(&number.to_string()).map(Scalar::Number).ok_or("it is out of range"),
        Value::Array(_) | Value::Object(_) => Err("it must be a text, a number, true, false or null"),
    }
}
