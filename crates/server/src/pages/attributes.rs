//! Attributes of packages and versions, as pages show them.

use model::attribute::{self, Scalar};

/// An attribute as a page shows it.
pub(super) struct Attribute {
    pub(super) name: String,
    pub(super) kind: &'static str,
    pub(super) values: String,
}

/// The values of an attribute as one line.
pub(super) fn shown_attribute(attribute: &attribute::Attribute) -> Attribute {
    let value = |scalar: &Scalar| match scalar {
        Scalar::Null => "null".to_owned(),
        Scalar::Text(text) => text.clone(),
        Scalar::Number(number) => number.literal().to_owned(),
        Scalar::Boolean(value) => value.to_string(),
    };
    let values = attribute.values().unwrap_or_default().iter().map(value).collect::<Vec<_>>().join(", ");
    Attribute { name: attribute.name().to_owned(), kind: attribute.kind().as_str(), values }
}
