//! Renders a schema for people.

use serde_json::{Map, Value};
use utoipa::openapi::{RefOr, schema::Schema};

/// Builds an example with the type of each field instead of a value.
pub(super) fn example(schema: &RefOr<Schema>, known: &[(String, RefOr<Schema>)]) -> Value {
    let value = serde_json::to_value(schema).unwrap_or_default();
    let known: Map<_, _> =
        known.iter().map(|(name, schema)| (name.clone(), serde_json::to_value(schema).unwrap_or_default())).collect();
    shape(&value, &known, 0)
}

fn shape(schema: &Value, known: &Map<String, Value>, depth: u8) -> Value {
    if depth > 8 {
        return Value::from("...");
    }
    if let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
        return known.get(name).map_or(Value::Null, |schema| shape(schema, known, depth + 1));
    }
    if let Some(parts) = schema["allOf"].as_array() {
        let merged = parts.iter().filter_map(|part| shape(part, known, depth + 1).as_object().cloned()).flatten();
        return Value::Object(merged.collect());
    }
    if let Some(fields) = schema["properties"].as_object() {
        let fields = fields.iter().map(|(name, field)| (name.clone(), shape(field, known, depth + 1)));
        return Value::Object(fields.collect());
    }
    if schema["items"].is_object() {
        return Value::Array(vec![shape(&schema["items"], known, depth + 1)]);
    }
    match &schema["type"] {
        Value::Array(kinds) => Value::from(kinds.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or ")),
        kind => Value::from(kind.as_str().unwrap_or("value")),
    }
}
