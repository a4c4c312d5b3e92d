//! Values of fields, before and after an edit.

/// A field that was set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldEdit {
    /// Its name in the API.
    pub name: &'static str,
    /// The old value.
    pub before: FieldValue,
    /// The new value.
    pub after: FieldValue,
}

/// The value of a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldValue {
    /// A text.
    Text(String),
    /// A text that may be absent.
    OptionalText(Option<String>),
    /// A list of texts.
    List(Vec<String>),
    /// Yes or no.
    Flag(bool),
}

impl From<String> for FieldValue {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Option<String>> for FieldValue {
    fn from(text: Option<String>) -> Self {
        Self::OptionalText(text)
    }
}

impl From<Vec<String>> for FieldValue {
    fn from(list: Vec<String>) -> Self {
        Self::List(list)
    }
}

impl From<bool> for FieldValue {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}
