//! `p2/<vendor>/<name>.json`: the versions of a package.

use model::timestamp::Timestamp;
use serde_json::{Map, Value, json};

use super::{name::ComposerName, publish::dist_path, version::ComposerVersion};
use crate::{
    base::{BASE, json_text},
    documents::seconds,
};

/// Documents with more versions list only differences.
const PLAIN: usize = 100;

/// A published version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComposerRelease {
    /// The version.
    pub version: ComposerVersion,
    /// The keys of composer.json.
    pub document: Map<String, Value>,
    /// The SHA-1 of the zip, in hex.
    pub sha1: String,
    /// The time of its publication.
    pub published: Timestamp,
    /// Whether the version is deprecated, with the package to use instead if it is known.
    pub abandoned: Option<Option<String>>,
}

/// The two documents of a package.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ComposerDocument {
    /// `<name>.json`: releases and prereleases.
    Releases,
    /// `<name>~dev.json`: branches and versions that end with `-dev`.
    Branches,
}

impl ComposerDocument {
    /// The path of the document.
    pub fn path(self, name: &ComposerName) -> String {
        let suffix = if self == Self::Branches { "~dev" } else { "" };
        format!("p2/{}{suffix}.json", name.as_str())
    }

    /// The document that lists a version.
    pub fn of_version(version: &ComposerVersion) -> Self {
        if version.stability() == super::Stability::Dev { Self::Branches } else { Self::Releases }
    }
}

/// The document with its versions, highest first; `None` without versions.
pub fn document(name: &ComposerName, kind: ComposerDocument, releases: &[ComposerRelease]) -> Option<String> {
    let mut listed: Vec<&ComposerRelease> =
        releases.iter().filter(|release| ComposerDocument::of_version(&release.version) == kind).collect();
    if listed.is_empty() {
        return None;
    }
    listed.sort_by(|left, right| right.version.order(&left.version));
    let versions: Vec<Map<String, Value>> = listed.iter().map(|release| entry(name, release)).collect();
    if versions.len() <= PLAIN {
        return Some(json_text(&json!({ "packages": { name.as_str(): versions } })));
    }
    let packages = json!({ name.as_str(): minify(versions) });
    Some(json_text(&json!({ "minified": "composer/2.0", "packages": packages })))
}

fn entry(name: &ComposerName, release: &ComposerRelease) -> Map<String, Value> {
    let mut entry = release.document.clone();
    let url = format!("{BASE}/{}", dist_path(name, &release.version));
    let dist = json!({ "type": "zip", "url": url, "reference": release.sha1, "shasum": release.sha1 });
    entry.insert("name".to_owned(), name.as_str().into());
    entry.insert("version".to_owned(), release.version.as_str().into());
    entry.insert("version_normalized".to_owned(), release.version.normalized().into());
    entry.insert("dist".to_owned(), dist);
    entry.insert("time".to_owned(), seconds(release.published).replace('Z', "+00:00").into());
    entry.entry("type").or_insert_with(|| "library".into());
    if let Some(replacement) = &release.abandoned {
        entry.insert("abandoned".to_owned(), replacement.as_deref().map_or(Value::Bool(true), Value::from));
    }
    entry
}

/// Leaves in each version only the keys that differ from the version before it.
fn minify(versions: Vec<Map<String, Value>>) -> Vec<Value> {
    let mut known: Map<String, Value> = Map::new();
    let mut minified = Vec::with_capacity(versions.len());
    for version in versions {
        let mut changes: Map<String, Value> =
            version.iter().filter(|(key, value)| known.get(*key) != Some(value)).map(clone_entry).collect();
        for key in known.keys().filter(|key| !version.contains_key(*key)) {
            changes.insert(key.clone(), "__unset".into());
        }
        minified.push(Value::Object(changes));
        known = version;
    }
    minified
}

fn clone_entry((key, value): (&String, &Value)) -> (String, Value) {
    (key.clone(), value.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn release(version: &str) -> ComposerRelease {
        let document = json!({ "name": "acme/hello", "require": { "php": ">=8.1" } });
        ComposerRelease {
            version: ComposerVersion::parse(version).expect("a version"),
            document: document.as_object().expect("an object").clone(),
            sha1: "ab".repeat(20),
            published: Timestamp::EPOCH,
            abandoned: None,
        }
    }

    fn read(kind: ComposerDocument, releases: &[ComposerRelease]) -> Option<Value> {
        let name = ComposerName::parse("acme/hello").expect("a name");
        let text = document(&name, kind, releases)?;
        Some(serde_json::from_str(&text.replace(BASE, "BASE")).expect("JSON"))
    }

    #[test]
    fn versions_are_listed_highest_first() {
        let mut old = release("1.0");
        old.abandoned = Some(Some("acme/other".to_owned()));
        let releases = [old, release("v1.10"), release("1.9"), release("dev-main")];
        let read_releases = read(ComposerDocument::Releases, &releases).expect("releases");
        let list = &read_releases["packages"]["acme/hello"];
        let versions: Vec<&Value> = list.as_array().expect("a list").iter().map(|entry| &entry["version"]).collect();
        assert_eq!(versions, ["v1.10", "1.9", "1.0"]);
        assert_eq!(list[0]["version_normalized"], "1.10.0.0");
        assert_eq!(list[0]["dist"]["url"], "BASE/dist/acme/hello/v1.10.zip");
        assert_eq!((&list[0]["time"], &list[0]["type"]), (&json!("1970-01-01T00:00:00+00:00"), &json!("library")));
        assert_eq!(list[2]["abandoned"], "acme/other");
        let branches = read(ComposerDocument::Branches, &releases).expect("branches");
        assert_eq!(branches["packages"]["acme/hello"][0]["version"], "dev-main");
        assert_eq!(read(ComposerDocument::Branches, &releases[..2]), None);
    }

    #[test]
    fn long_documents_list_differences() {
        let mut releases: Vec<ComposerRelease> = (0..101).map(|patch| release(&format!("1.0.{patch}"))).collect();
        releases[99].document.insert("bin".to_owned(), json!(["x"]));
        let read = read(ComposerDocument::Releases, &releases).expect("releases");
        assert_eq!(read["minified"], "composer/2.0");
        let list = &read["packages"]["acme/hello"];
        assert_eq!(list[1]["bin"], json!(["x"]));
        assert_eq!(list[2]["bin"], "__unset");
        assert_eq!((&list[2]["require"], &list[2]["version"]), (&Value::Null, &json!("1.0.98")));
        assert_eq!(list[0]["require"]["php"], ">=8.1");
    }
}
