//! Attributes of packages and versions on pages.

use model::attribute::{self, Scalar};

/// An attribute on a page.
pub(crate) struct Attribute {
    pub(crate) name: String,
    pub(crate) kind: &'static str,
    pub(crate) values: String,
}

/// Formats an attribute, with its values on one line.
pub(crate) fn shown_attribute(attribute: &attribute::Attribute) -> Attribute {
    let value = |scalar: &Scalar| match scalar {
        Scalar::Null => "null".to_owned(),
        Scalar::Text(text) => text.clone(),
        Scalar::Number(number) => number.literal().to_owned(),
        Scalar::Boolean(value) => value.to_string(),
    };
    let values = attribute.values().unwrap_or_default().iter().map(value).collect::<Vec<_>>().join(", ");
    Attribute { name: attribute.name().to_owned(), kind: attribute.kind().as_str(), values }
}
