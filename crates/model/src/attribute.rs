//! Typed attributes of packages and versions: type inference and validation.

use std::{collections::HashSet, fmt};

use crate::{timestamp::Timestamp, unicode::is_hidden};

/// Maximum length of an attribute name in bytes.
const NAME_BYTES: usize = 200;

/// Maximum number of attributes of one package or version.
pub const ATTRIBUTES: usize = 1_000;

/// Maximum number of values in all attributes of one package or version.
pub const VALUES: usize = 10_000;

/// Maximum size in bytes of all attributes of one package or version.
pub const BYTES: usize = 1024 * 1024;

/// Maximum size of one value in bytes.
pub const VALUE_BYTES: usize = 64 * 1024;

/// The type of an attribute's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AttributeType {
    /// Text.
    String,
    /// A point in time, written in ISO 8601 with an offset.
    Date,
    /// A number.
    Number,
    /// True or false.
    Boolean,
    /// A version; behaves like text.
    Version,
}

impl AttributeType {
    /// Every type.
    pub const ALL: [AttributeType; 5] = [
        AttributeType::String,
        AttributeType::Date,
        AttributeType::Number,
        AttributeType::Boolean,
        AttributeType::Version,
    ];

    /// The name of the type.
    pub fn as_str(self) -> &'static str {
        match self {
            AttributeType::String => "string",
            AttributeType::Date => "date",
            AttributeType::Number => "number",
            AttributeType::Boolean => "boolean",
            AttributeType::Version => "version",
        }
    }

    /// Returns the type with this name, in any letter case.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str().eq_ignore_ascii_case(text))
    }
}

/// A JSON value, before its attribute has a type.
#[derive(Debug, Clone, PartialEq)]
pub enum Scalar {
    /// No value.
    Null,
    /// A string, which may be a date.
    Text(String),
    /// A number, with its original digits.
    Number(Number),
    /// True or false.
    Boolean(bool),
}

/// A number that is displayed as it was written and compared by its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Number {
    literal: String,
    value: f64,
}

impl Number {
    /// Parses a JSON number. Returns `None` if it is not a number, or too large to compare.
    pub fn parse(literal: &str) -> Option<Self> {
        let value: f64 = literal.parse().ok().filter(|value: &f64| value.is_finite())?;
        Some(Self { literal: literal.to_owned(), value })
    }

    /// The number as it was written.
    pub fn literal(&self) -> &str {
        &self.literal
    }

    /// The value that comparisons use.
    pub fn value(&self) -> f64 {
        self.value
    }
}

/// An attribute whose values fit its type.
#[derive(Debug, Clone, PartialEq)]
pub struct Attribute {
    name: String,
    kind: AttributeType,
    values: Option<Vec<Scalar>>,
}

/// Converts strings to booleans, for an attribute that is declared as boolean.
fn read_booleans(values: Vec<Scalar>) -> Vec<Scalar> {
    let read = |value| match value {
        Scalar::Text(text) if text.eq_ignore_ascii_case("true") => Scalar::Boolean(true),
        Scalar::Text(text) if text.eq_ignore_ascii_case("false") => Scalar::Boolean(false),
        other => other,
    };
    values.into_iter().map(read).collect()
}

/// A rejected attribute, and why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("attribute '{name}': {reason}")]
pub struct InvalidAttribute {
    /// The name of the attribute, truncated if very long.
    pub name: String,
    /// The problem with it.
    pub reason: String,
}

impl Attribute {
    /// Validates the name and the values, and infers the type if none is given. Without values the attribute is null.
    pub fn new(name: &str, values: Option<Vec<Scalar>>, kind: Option<AttributeType>) -> Result<Self, InvalidAttribute> {
        let refuse = |reason: String| InvalidAttribute { name: name.chars().take(60).collect(), reason };
        check_name(name).map_err(|reason| refuse(reason.into()))?;
        let values = if kind == Some(AttributeType::Boolean) { values.map(read_booleans) } else { values };
        let given = values.as_deref().unwrap_or_default();
        let found = infer(given).map_err(|mixed| refuse(mixed.to_string()))?;
        let kind = kind.unwrap_or(found);
        match given.iter().find(|value| !fits(value, kind)) {
            Some(value) => Err(refuse(format!("{value} is not a {}", kind.as_str()))),
            None => Ok(Self { name: name.to_owned(), kind, values }),
        }
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The type.
    pub fn kind(&self) -> AttributeType {
        self.kind
    }

    /// The values as they were given, in order; `None` for null.
    pub fn values(&self) -> Option<&[Scalar]> {
        self.values.as_deref()
    }

    /// The values that a search compares: an attribute without values counts as one null.
    pub fn searched(&self) -> &[Scalar] {
        match self.values() {
            None | Some([]) => &[Scalar::Null],
            Some(values) => values,
        }
    }

    /// Returns whether a search treats it as an array: several values are an array, a single value is a scalar.
    pub fn is_array(&self) -> bool {
        self.searched().len() > 1
    }

    /// Returns whether only publishers see it.
    pub fn is_private(&self) -> bool {
        is_private(&self.name)
    }

    fn size_bytes(&self) -> usize {
        self.name.len() + self.searched().iter().map(Scalar::size_bytes).sum::<usize>()
    }
}

/// Returns whether the name begins with `_`: only publishers see such attributes.
pub fn is_private(name: &str) -> bool {
    name.starts_with('_')
}

/// Validates new attributes: no value is too long, and names contain no invisible characters.
pub fn check_new(attributes: &[Attribute]) -> Result<(), String> {
    for Attribute { name, values, .. } in attributes {
        let shown: String = name.chars().take(60).collect();
        if values.iter().flatten().any(|value| value.size_bytes() > VALUE_BYTES) {
            return Err(format!("attribute '{shown}' has a value longer than {VALUE_BYTES} bytes"));
        }
        if name.chars().any(is_hidden) {
            return Err(format!("attribute '{shown}' has an invisible character in its name"));
        }
    }
    Ok(())
}

/// Validates all attributes of one package or version: their number and size, and that each name is unique.
pub fn check_all(attributes: &[Attribute]) -> Result<(), String> {
    let mut names = HashSet::new();
    if let Some(twice) = attributes.iter().find(|attribute| !names.insert(attribute.name())) {
        return Err(format!("attribute '{}' is given twice", twice.name));
    }
    let values: usize = attributes.iter().map(|attribute| attribute.searched().len()).sum();
    let bytes: usize = attributes.iter().map(Attribute::size_bytes).sum();
    match attributes.len() {
        count if count > ATTRIBUTES => Err(format!("there are {count}, more than {ATTRIBUTES}")),
        _ if values > VALUES => Err(format!("they have {values} values, more than {VALUES}")),
        _ if bytes > BYTES => Err(format!("they have {bytes} bytes, more than {BYTES}")),
        _ => Ok(()),
    }
}

/// Validates a name. Names occur in comma-separated lists, so they may not contain commas.
pub fn check_name(name: &str) -> Result<(), &'static str> {
    match name {
        "" => Err("its name is empty"),
        _ if name.len() > NAME_BYTES => Err("its name is longer than 200 bytes"),
        _ if name.contains(',') => Err("its name holds a comma"),
        _ if name.chars().any(char::is_control) => Err("its name holds a control character"),
        _ => Ok(()),
    }
}

/// Values of different types in one attribute.
struct Mixed(&'static str, &'static str);

impl fmt::Display for Mixed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "its values mix {} and {}", self.0, self.1)
    }
}

/// Infers the type. Nulls are ignored. Strings are dates only if all of them are dates.
fn infer(values: &[Scalar]) -> Result<AttributeType, Mixed> {
    let mut kinds = values.iter().filter_map(Scalar::json_kind);
    let Some(first) = kinds.next() else { return Ok(AttributeType::String) };
    if let Some(other) = kinds.find(|kind| *kind != first) {
        return Err(Mixed(first, other));
    }
    let are_dates = || values.iter().all(|value| *value == Scalar::Null || value.date().is_some());
    Ok(match first {
        "numbers" => AttributeType::Number,
        "booleans" => AttributeType::Boolean,
        _ if are_dates() => AttributeType::Date,
        _ => AttributeType::String,
    })
}

fn fits(value: &Scalar, kind: AttributeType) -> bool {
    match (value, kind) {
        (Scalar::Null, _) => true,
        (Scalar::Text(_), AttributeType::String | AttributeType::Version) => true,
        (Scalar::Text(_), AttributeType::Date) => value.date().is_some(),
        (Scalar::Number(_), AttributeType::Number) | (Scalar::Boolean(_), AttributeType::Boolean) => true,
        _ => false,
    }
}

impl Scalar {
    fn json_kind(&self) -> Option<&'static str> {
        match self {
            Scalar::Null => None,
            Scalar::Text(_) => Some("texts"),
            Scalar::Number(_) => Some("numbers"),
            Scalar::Boolean(_) => Some("booleans"),
        }
    }

    fn size_bytes(&self) -> usize {
        match self {
            Scalar::Text(text) => text.len(),
            Scalar::Number(number) => number.literal.len(),
            Scalar::Null | Scalar::Boolean(_) => 4,
        }
    }

    /// Parses a string as a date: a full date and time with an offset. A date without a time is a string.
    pub fn date(&self) -> Option<Timestamp> {
        match self {
            Scalar::Text(text) if text.len() > 10 => Timestamp::parse(text).ok(),
            _ => None,
        }
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scalar::Null => f.write_str("null"),
            Scalar::Text(text) => write!(f, "'{}'", text.chars().take(60).collect::<String>()),
            Scalar::Number(number) => f.write_str(&number.literal),
            Scalar::Boolean(value) => write!(f, "{value}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Scalar {
        Scalar::Text(text.into())
    }

    fn number(literal: &str) -> Scalar {
        Scalar::Number(Number::parse(literal).expect("a number"))
    }

    fn kind(values: Vec<Scalar>) -> AttributeType {
        Attribute::new("a", Some(values), None).expect("fits").kind()
    }

    #[test]
    fn the_type_is_found_from_the_values() {
        assert_eq!(kind(vec![]), AttributeType::String);
        assert_eq!(kind(vec![Scalar::Null]), AttributeType::String);
        assert_eq!(kind(vec![text("x")]), AttributeType::String);
        assert_eq!(kind(vec![number("1"), Scalar::Null, number("2.50")]), AttributeType::Number);
        assert_eq!(kind(vec![Scalar::Boolean(true)]), AttributeType::Boolean);
        assert_eq!(kind(vec![text("2026-01-02T03:04:05.678Z"), text("2026-01-02T03:04:05+0100")]), AttributeType::Date);
        assert_eq!(kind(vec![text("2026-01-02")]), AttributeType::String);
        assert_eq!(kind(vec![text("2026-01-02T03:04:05Z"), text("soon")]), AttributeType::String);
    }

    #[test]
    fn mixed_kinds_are_refused() {
        let error = Attribute::new("a", Some(vec![number("1"), text("x")]), None).expect_err("mixed");
        assert_eq!(error.to_string(), "attribute 'a': its values mix numbers and texts");
        assert!(Attribute::new("a", Some(vec![number("1"), text("x")]), Some(AttributeType::String)).is_err());
    }

    #[test]
    fn a_given_type_wins_when_the_values_fit() {
        let date = || vec![text("2026-01-02T03:04:05Z")];
        assert_eq!(
            Attribute::new("a", Some(date()), Some(AttributeType::String)).expect("fits").kind(),
            AttributeType::String
        );
        assert_eq!(
            Attribute::new("a", Some(vec![text("1.0")]), Some(AttributeType::Version)).expect("fits").kind(),
            AttributeType::Version
        );
        for (values, kind) in [
            (vec![text("x")], AttributeType::Date),
            (vec![text("1")], AttributeType::Number),
            (vec![number("1")], AttributeType::String),
            (vec![number("1")], AttributeType::Boolean),
            (vec![Scalar::Boolean(true)], AttributeType::Version),
        ] {
            assert!(Attribute::new("a", Some(values), Some(kind)).is_err());
        }
    }

    #[test]
    fn names_hold_no_commas() {
        for bad in ["", "a,b", "a\nb", &"x".repeat(201)] {
            assert!(Attribute::new(bad, None, None).is_err(), "{bad}");
        }
    }

    #[test]
    fn no_value_counts_as_null() {
        let attribute = |values| Attribute::new("a", values, None).expect("fits");
        assert_eq!(attribute(None).values(), None);
        assert_eq!(attribute(Some(vec![])).values(), Some(&[][..]));
        assert_eq!(attribute(None).searched(), [Scalar::Null]);
        assert_eq!(attribute(Some(vec![])).searched(), [Scalar::Null]);
        assert!(!attribute(Some(vec![text("x")])).is_array());
        assert!(attribute(Some(vec![text("x"), Scalar::Null])).is_array());
    }

    #[test]
    fn what_one_object_holds_is_bounded() {
        let make = |name: &str, values: Vec<Scalar>| Attribute::new(name, Some(values), None).expect("fits");
        let many = |count: usize| (0..count).map(|n| make(&n.to_string(), vec![])).collect::<Vec<_>>();
        assert_eq!(check_all(&many(1_000)), Ok(()));
        assert_eq!(check_all(&many(1_001)), Err("there are 1001, more than 1000".into()));
        let twice = [make("a", vec![]), make("a", vec![])];
        assert_eq!(check_all(&twice), Err("attribute 'a' is given twice".into()));
        assert!(check_all(&[make("a", vec![Scalar::Null; 10_001])]).is_err_and(|why| why.contains("10001 values")));
        assert!(check_all(&[make("a", vec![text(&"x".repeat(BYTES))])]).is_err_and(|why| why.contains("bytes")));
    }
}
