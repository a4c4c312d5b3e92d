//! Values of attributes in forms: one per line, or as JSON if lines cannot express them.

use model::attribute::{Attribute, AttributeType, Number, Scalar};
use serde_json::Value;
use web::{
    attribute_values::scalar,
    error::{Failure, Result},
};

/// Parses the lines. An empty text is null.
pub(super) fn read(kind: Option<AttributeType>, text: &str) -> Result<Option<Vec<Scalar>>> {
    if text.trim().is_empty() {
        return Ok(None);
    }
    if let Ok(values) = serde_json::from_str::<Vec<Value>>(text) {
        let values = values.into_iter().map(|value| scalar(value).map_err(invalid));
        return values.collect::<Result<_>>().map(Some);
    }
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    match kind {
        Some(kind) => lines.map(|line| value(kind, line)).collect::<Result<_>>().map(Some),
        None => Ok(Some(guessed(&lines.collect::<Vec<_>>()))),
    }
}

fn value(kind: AttributeType, line: &str) -> Result<Scalar> {
    let (word, shown) = (line.trim(), line.chars().take(60).collect::<String>());
    let read = match (kind, word) {
        (AttributeType::String | AttributeType::Version, _) => return Ok(Scalar::Text(line.to_owned())),
        (_, "null") => return Ok(Scalar::Null),
        (AttributeType::Date, _) => return Ok(Scalar::Text(word.to_owned())),
        (AttributeType::Number, _) => number(word),
        (AttributeType::Boolean, _) => boolean(word),
    };
    read.ok_or_else(|| invalid(format!("'{shown}' is not a {}", kind.as_str())))
}

/// Guesses the type: numbers if all lines are numbers, booleans if all are booleans, else texts.
fn guessed(lines: &[&str]) -> Vec<Scalar> {
    let all = |read: fn(&str) -> Option<Scalar>| lines.iter().map(|line| read(line.trim())).collect::<Option<Vec<_>>>();
    let texts = || lines.iter().map(|line| Scalar::Text((*line).to_owned())).collect();
    all(number).or_else(|| all(boolean)).unwrap_or_else(texts)
}

fn number(word: &str) -> Option<Scalar> {
    let literal: serde_json::Number = serde_json::from_str(word).ok()?;
    Number::parse(&literal.to_string()).map(Scalar::Number)
}

fn boolean(word: &str) -> Option<Scalar> {
    word.parse().ok().map(Scalar::Boolean)
}

fn invalid(reason: impl std::fmt::Display) -> Failure {
    Failure::bad_request(format!("values: {reason}"))
}

/// Formats values so that `read` accepts them for the same type.
pub(super) fn written(attribute: &Attribute) -> String {
    let values = attribute.values().unwrap_or_default();
    let line = |value: &Scalar| match value {
        Scalar::Text(text) => is_line(text).then(|| text.clone()),
        Scalar::Number(number) => Some(number.literal().to_owned()),
        Scalar::Boolean(value) => Some(value.to_string()),
        Scalar::Null => None,
    };
    let lines: Option<Vec<String>> = values.iter().map(line).collect();
    lines.map_or_else(|| json(values), |lines| lines.join("\n"))
}

fn is_line(text: &str) -> bool {
    !text.trim().is_empty() && !text.contains(['\n', '\r']) && !text.trim_start().starts_with('[')
}

fn json(values: &[Scalar]) -> String {
    let value = |value: &Scalar| match value {
        Scalar::Null => Value::Null,
        Scalar::Boolean(value) => Value::from(*value),
        Scalar::Text(text) => Value::from(text.as_str()),
        Scalar::Number(number) => serde_json::from_str(number.literal()).unwrap_or_else(|_| number.value().into()),
    };
    Value::Array(values.iter().map(value).collect()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(values: Vec<Scalar>) {
        let attribute = Attribute::new("a", Some(values.clone()), None).expect("it fits");
        let again = read(Some(attribute.kind()), &written(&attribute)).expect("it is read");
        assert_eq!(again, Some(values), "{}", written(&attribute));
    }

    #[test]
    fn what_is_written_is_read_again() {
        let text = |text: &str| Scalar::Text(text.into());
        kept(vec![text("a, b"), text(" c")]);
        kept(vec![text("a\nb"), text(""), Scalar::Null]);
        kept(vec![text("[1,2)"), text("[\"x\"]")]);
        kept(vec![text("2026-01-02T03:04:05.678Z")]);
        kept(vec![Scalar::Boolean(true), Scalar::Null]);
        kept(vec![Scalar::Number(Number::parse("1.5").expect("a number"))]);
    }

    #[test]
    fn the_type_is_found_from_lines() {
        let kind = |text: &str| Attribute::new("a", read(None, text).expect("read"), None).expect("fits").kind();
        assert_eq!(kind("1\n2.5"), AttributeType::Number);
        assert_eq!(kind("true\nfalse"), AttributeType::Boolean);
        assert_eq!(kind("1\ntrue"), AttributeType::String);
        assert_eq!(kind("2026-01-02T03:04:05Z"), AttributeType::Date);
        assert_eq!(kind(""), AttributeType::String);
    }

    #[test]
    fn what_is_not_of_the_type_is_refused() {
        for (kind, text) in
            [(AttributeType::Number, "four"), (AttributeType::Boolean, "yes"), (AttributeType::Number, "1\nx")]
        {
            assert!(read(Some(kind), text).is_err(), "{text}");
        }
        assert!(read(None, "[{\"a\": 1}]").is_err());
    }
}
