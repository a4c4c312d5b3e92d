//! `packages.json`, `list.json` and `search.json`.

use serde_json::{Value, json};

use super::name::ComposerName;
use crate::base::{BASE, json_text};

/// Repositories with fewer packages name them all, so that clients ask for no others.
const NAMED: usize = 1_000;

/// The root document. `names` are all packages of the repository; `None` leaves them out.
pub fn root(names: Option<&[ComposerName]>) -> String {
    let mut document = json!({
        "packages": [],
        "metadata-url": format!("{BASE}/p2/%package%.json"),
        "list": format!("{BASE}/list.json"),
        "search": format!("{BASE}/search.json?q=%query%&type=%type%"),
    });
    if let Some(names) = names.filter(|names| !names.is_empty() && names.len() < NAMED) {
        document["available-packages"] = names.iter().map(ComposerName::as_str).collect();
    }
    json_text(&document)
}

/// The list of all packages.
pub fn list(names: &[ComposerName]) -> String {
    let names: Vec<&str> = names.iter().map(ComposerName::as_str).collect();
    json_text(&json!({ "packageNames": names }))
}

/// A package that a search found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComposerHit {
    /// The name.
    pub name: ComposerName,
    /// The description.
    pub description: String,
    /// Its website, if it has one.
    pub url: Option<String>,
}

/// The answer to a search. `total` counts all hits, also those on other pages.
pub fn search(total: u64, hits: &[ComposerHit]) -> String {
    let hit = |hit: &ComposerHit| -> Value {
        let mut entry = json!({ "name": hit.name.as_str(), "description": hit.description });
        if let Some(url) = &hit.url {
            entry["url"] = url.as_str().into();
        }
        entry
    };
    json_text(&json!({ "results": hits.iter().map(hit).collect::<Vec<_>>(), "total": total }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_has_absolute_urls() {
        let read = |text: String| -> Value { serde_json::from_str(&text.replace(BASE, "BASE")).expect("JSON") };
        let name = ComposerName::parse("acme/hello").expect("a name");
        let document = read(root(Some(std::slice::from_ref(&name))));
        assert_eq!(document["metadata-url"], "BASE/p2/%package%.json");
        assert_eq!(document["available-packages"], json!(["acme/hello"]));
        assert_eq!(read(root(None))["available-packages"], Value::Null);
        let many = vec![name.clone(); 1_000];
        assert_eq!(read(root(Some(&many)))["available-packages"], Value::Null);
        assert_eq!(list(std::slice::from_ref(&name)), r#"{"packageNames":["acme/hello"]}"#);
        let hit = ComposerHit { name, description: "d".into(), url: Some("u".into()) };
        let expected = r#"{"results":[{"description":"d","name":"acme/hello","url":"u"}],"total":1}"#;
        assert_eq!(search(1, &[hit]), expected);
    }
}
