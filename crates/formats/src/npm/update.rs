//! Documents without attachments: they deprecate versions, or leave out those to unpublish.

use std::collections::BTreeMap;

use model::text::check_text;
use serde_json::Value;

use super::document::NpmDocument;
use crate::readers::quoted;

/// A changed deprecation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deprecation {
    /// The version.
    pub version: String,
    /// The message; `None` if the version is no longer deprecated.
    pub message: Option<String>,
}

impl NpmDocument {
    /// Compares the messages of the document with the current ones by version, and returns those that differ. Versions
    /// that the document leaves out stay as they are.
    pub fn deprecations(&self, current: &BTreeMap<String, Option<String>>) -> Result<Vec<Deprecation>, String> {
        let mut changes = Vec::new();
        for (version, manifest) in self.map("versions").into_iter().flatten() {
            let before = current.get(version).ok_or_else(|| unknown(version))?;
            let message = match manifest.get("deprecated") {
                None | Some(Value::Null | Value::Bool(false)) => None,
                Some(Value::String(text)) => Some(text.clone()).filter(|text| !text.is_empty()),
                Some(_) => return Err(format!("the deprecation of version '{version}' is not a text")),
            };
            if let Some(text) = &message {
                let refused = |reason: &str| format!("the deprecation of version '{version}' is not valid: {reason}");
                check_text(text).map_err(refused)?;
                if text.contains('\u{2}') {
                    return Err(refused("it holds a control character"));
                }
            }
            if message != *before {
                changes.push(Deprecation { version: version.clone(), message });
            }
        }
        Ok(changes)
    }

    /// Returns the current versions that the document leaves out, which are to be unpublished.
    pub fn removed<'a>(&self, current: &'a [String]) -> Result<Vec<&'a str>, String> {
        let versions = self.map("versions").ok_or("the document has no versions")?;
        if let Some(added) = versions.keys().find(|version| !current.contains(version)) {
            return Err(unknown(added));
        }
        Ok(current.iter().map(String::as_str).filter(|version| !versions.contains_key(*version)).collect())
    }
}

fn unknown(version: &str) -> String {
    format!("the package has no version '{}'", quoted(version))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::npm::name::NpmName;

    fn document(versions: &Value) -> NpmDocument {
        let document = json!({ "_id": "a", "_rev": "3-0", "name": "a", "versions": versions });
        let document = NpmDocument::parse(&NpmName::parse("a").expect("valid"), document.to_string().as_bytes());
        let document = document.expect("valid");
        assert!(!document.is_publish());
        document
    }

    #[test]
    fn changed_deprecations_are_found() {
        let current = [("1.0.0", None), ("1.1.0", Some("old")), ("1.2.0", Some("same")), ("1.3.0", Some("left out"))]
            .map(|(version, text): (&str, Option<&str>)| (version.to_owned(), text.map(str::to_owned)));
        let current = BTreeMap::from(current);
        let sent = json!({ "1.0.0": { "deprecated": "use 2.x" }, "1.1.0": { "deprecated": "" }, "1.2.0": { "deprecated": "same" } });
        let changes = document(&sent).deprecations(&current).expect("valid");
        let expected = [("1.0.0", Some("use 2.x")), ("1.1.0", None)]
            .map(|(version, text)| Deprecation { version: version.to_owned(), message: text.map(str::to_owned) });
        assert_eq!(changes, expected);
        for bad in [
            json!({ "9.0.0": {} }),
            json!({ "1.0.0": { "deprecated": 1 } }),
            json!({ "1.0.0": { "deprecated": "\u{7}" } }),
        ] {
            assert!(document(&bad).deprecations(&current).is_err(), "{bad}");
        }
    }

    #[test]
    fn missing_versions_are_removed() {
        let current = ["1.0.0", "1.1.0", "1.2.0"].map(str::to_owned);
        assert_eq!(document(&json!({ "1.1.0": {} })).removed(&current), Ok(vec!["1.0.0", "1.2.0"]));
        assert_eq!(document(&json!({ "1.0.0": {}, "1.1.0": {}, "1.2.0": {} })).removed(&current), Ok(Vec::new()));
        let reason = "the package has no version '2.0.0'";
        assert_eq!(document(&json!({ "2.0.0": {} })).removed(&current), Err(reason.to_owned()));
        assert!(document(&json!([])).removed(&current).is_err());
    }
}
