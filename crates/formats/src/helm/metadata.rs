//! The fields of Chart.yaml that an index shows.

use serde_json::{Map, Value};

use crate::readers::quoted;

/// The type of a field.
enum FieldType {
    Text,
    Truth,
    Texts,
    /// A map of texts.
    TextMap,
    /// A list of maps with these texts.
    Maps(&'static [&'static str]),
}

/// All fields, in the order of the index.
const FIELDS: &[(&str, FieldType)] = &[
    ("apiVersion", FieldType::Text),
    ("name", FieldType::Text),
    ("version", FieldType::Text),
    ("appVersion", FieldType::Text),
    ("description", FieldType::Text),
    ("type", FieldType::Text),
    ("home", FieldType::Text),
    ("icon", FieldType::Text),
    ("keywords", FieldType::Texts),
    ("sources", FieldType::Texts),
    ("maintainers", FieldType::Maps(&["name", "email", "url"])),
    ("dependencies", FieldType::Maps(&["name", "version", "repository", "condition", "alias"])),
    ("kubeVersion", FieldType::Text),
    ("condition", FieldType::Text),
    ("tags", FieldType::Text),
    ("deprecated", FieldType::Truth),
    ("annotations", FieldType::TextMap),
];

/// Selects the known fields of a chart and checks their types.
pub(super) fn select(chart: Value) -> Result<Vec<(String, Value)>, String> {
    let Value::Object(mut chart) = chart else { return Err("it is not a map".to_owned()) };
    let mut fields = Vec::new();
    for (name, field_type) in FIELDS {
        let Some(value) = chart.remove(*name).filter(|value| !value.is_null()) else { continue };
        let wrong = |reason: &str| format!("its field '{name}' {reason}");
        let value = match field_type {
            FieldType::Text => Value::from(text(value).ok_or_else(|| wrong("is not text"))?),
            FieldType::Truth => Value::Bool(value.as_bool().ok_or_else(|| wrong("is neither true nor false"))?),
            FieldType::Texts => texts(value).ok_or_else(|| wrong("is not a list of texts"))?,
            FieldType::TextMap => text_map(value, None).ok_or_else(|| wrong("is not a map of texts"))?,
            FieldType::Maps(keys) => maps(value, keys).ok_or_else(|| wrong("is not a list of maps of texts"))?,
        };
        fields.push(((*name).to_owned(), value));
    }
    Ok(fields)
}

/// Helm turns numbers and truth values into texts where it expects texts.
fn text(value: Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(truth) => Some(truth.to_string()),
        _ => None,
    }
}

fn texts(value: Value) -> Option<Value> {
    let Value::Array(values) = value else { return None };
    let texts: Option<Vec<Value>> = values.into_iter().map(|value| text(value).map(Value::from)).collect();
    texts.map(Value::Array)
}

fn text_map(value: Value, keys: Option<&[&str]>) -> Option<Value> {
    let Value::Object(map) = value else { return None };
    let mut selected = Map::new();
    for (key, value) in map {
        if !value.is_null() && keys.is_none_or(|keys| keys.contains(&key.as_str())) {
            selected.insert(key, Value::from(text(value)?));
        }
    }
    Some(Value::Object(selected))
}

fn maps(value: Value, keys: &[&str]) -> Option<Value> {
    let Value::Array(values) = value else { return None };
    let maps: Option<Vec<Value>> = values.into_iter().map(|value| text_map(value, Some(keys))).collect();
    maps.map(Value::Array)
}

/// The text of a field that must be there.
pub(super) fn required<'a>(fields: &'a [(String, Value)], name: &str) -> Result<&'a str, String> {
    let value = fields.iter().find(|(field, _)| field == name).and_then(|(_, value)| value.as_str());
    value.filter(|text| !text.is_empty()).ok_or_else(|| format!("it has no field '{}'", quoted(name)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn known_fields_are_selected_in_their_order() {
        let chart = json!({
            "version": "1.0.0", "name": "a", "appVersion": 1.5, "unknown": 1, "deprecated": true, "home": null,
            "maintainers": [{"name": "x", "other": [1]}], "keywords": ["a", 2], "annotations": {"k": true},
        });
        let fields = select(chart).expect("valid");
        let text = serde_json::to_string(&fields).expect("JSON");
        let expected = r#"[["name","a"],["version","1.0.0"],["appVersion","1.5"],["keywords",["a","2"]],["maintainers",[{"name":"x"}]],["deprecated",true],["annotations",{"k":"true"}]]"#;
        assert_eq!(text, expected);
    }

    #[test]
    fn wrong_types_are_refused() {
        for (field, value, reason) in [
            ("name", json!(["a"]), "is not text"),
            ("deprecated", json!("yes"), "is neither true nor false"),
            ("keywords", json!("a"), "is not a list of texts"),
            ("annotations", json!({"a": [1]}), "is not a map of texts"),
            ("maintainers", json!(["a"]), "is not a list of maps of texts"),
        ] {
            let refusal = select(json!({ field: value })).expect_err("a refusal");
            assert_eq!(refusal, format!("its field '{field}' {reason}"));
        }
        assert_eq!(select(json!([])), Err("it is not a map".to_owned()));
    }
}
