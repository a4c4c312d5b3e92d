//! Marks on versions.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A mark on a version: its text, or a boolean.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum Mark {
    /// Whether the mark is set.
    Flag(bool),
    /// The text of the mark.
    Text(String),
}

impl Mark {
    /// The mark with this text, which may be empty.
    pub fn new(text: &str) -> Self {
        if text.is_empty() { Mark::Flag(true) } else { Mark::Text(text.to_owned()) }
    }

    /// The text of the mark to set; `None` removes the mark.
    pub fn into_text(self) -> Option<String> {
        match self {
            Mark::Flag(true) => Some(String::new()),
            Mark::Flag(false) => None,
            Mark::Text(text) => Some(text).filter(|text| !text.is_empty()),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{from_value, json};

    use super::*;
    use crate::VersionChange;

    #[test]
    fn a_mark_is_a_boolean_or_a_text() {
        let cases = [
            (json!({}), None),
            (json!({"yanked": null}), Some(None)),
            (json!({"yanked": false}), Some(None)),
            (json!({"yanked": ""}), Some(None)),
            (json!({"yanked": true}), Some(Some(String::new()))),
            (json!({"yanked": "broken"}), Some(Some("broken".to_owned()))),
        ];
        for (body, expected) in cases {
            let change: VersionChange = from_value(body.clone()).expect("a change");
            assert_eq!(change.yanked.map(|mark| mark.and_then(Mark::into_text)), expected, "{body}");
        }
        assert!(from_value::<VersionChange>(json!({"yanked": 1})).is_err());
        assert_eq!(json!([Mark::new(""), Mark::new("a")]), json!([true, "a"]));
    }
}
