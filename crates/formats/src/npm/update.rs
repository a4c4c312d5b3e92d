//! Documents without attachments: they deprecate versions, or leave out those to unpublish.

use std::collections::BTreeMap;

use model::text::check_text;
use serde_json::Value;

use super::document::NpmDocument;
use crate::readers::quoted;

impl NpmDocument {
    /// The messages of the document by version; `None` stands for versions that are not deprecated. Versions that the
    /// document leaves out stay as they are.
    pub fn deprecations(&self) -> Result<BTreeMap<String, Option<String>>, String> {
        let versions = self.map("versions").into_iter().flatten();
        versions.map(|(version, manifest)| Ok((version.clone(), message(version, manifest)?))).collect()
    }

    /// The versions of the document, if it has any key for them. All others are unpublished.
    pub fn versions(&self) -> Option<Vec<String>> {
        self.map("versions").map(|versions| versions.keys().cloned().collect())
    }
}

/// The message of a deprecation.
fn message(version: &str, manifest: &Value) -> Result<Option<String>, String> {
    let refused = |reason: &str| format!("the deprecation of version '{}' is not valid: {reason}", quoted(version));
    match manifest.get("deprecated") {
        None | Some(Value::Null | Value::Bool(false)) => Ok(None),
        Some(Value::String(text)) if text.is_empty() => Ok(None),
        Some(Value::String(text)) => check_text(text).map(|()| Some(text.clone())).map_err(refused),
        Some(_) => Err(refused("it is not a text")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::npm::name::NpmName;

    fn document(document: &Value) -> NpmDocument {
        let document = NpmDocument::parse(&NpmName::parse("a").expect("valid"), document.to_string().as_bytes());
        let document = document.expect("valid");
        assert!(!document.is_publish());
        document
    }

    fn deprecations(versions: &Value) -> Result<BTreeMap<String, Option<String>>, String> {
        document(&json!({ "_id": "a", "_rev": "3-0", "name": "a", "versions": versions })).deprecations()
    }

    #[test]
    fn deprecations_are_read() {
        let sent = json!({ "1.0.0": { "deprecated": "use 2.x" }, "1.1.0": { "deprecated": "" }, "1.2.0": {} });
        let expected = [("1.0.0", Some("use 2.x")), ("1.1.0", None), ("1.2.0", None)]
            .map(|(version, text)| (version.to_owned(), text.map(str::to_owned)));
        assert_eq!(deprecations(&sent), Ok(BTreeMap::from(expected)));
        for bad in [json!({ "1.0.0": { "deprecated": 1 } }), json!({ "1.0.0": { "deprecated": "\u{2}" } })] {
            assert!(deprecations(&bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_versions_to_leave_are_listed() {
        let versions = |value: &Value| document(value).versions();
        assert_eq!(versions(&json!({ "name": "a", "versions": { "1.1.0": {} } })), Some(vec!["1.1.0".to_owned()]));
        assert_eq!(versions(&json!({ "name": "a", "versions": {} })), Some(Vec::new()));
        assert_eq!(versions(&json!({ "name": "a", "maintainers": [] })), None);
    }
}
