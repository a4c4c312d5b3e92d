//! Documents of a package, in full and abbreviated form.

#[cfg(test)]
mod tests;

use model::timestamp::Timestamp;
use serde_json::{Map, Value, json};

use super::{inspect::NpmFacts, layout, name::NpmName};
use crate::{
    accept::weight,
    base::{BASE, json_text},
};

/// The media type of the abbreviated form.
pub const ABBREVIATED_TYPE: &str = "application/vnd.npm.install-v1+json";

/// Keys of a version in the abbreviated form, besides `dist` and `deprecated`.
const ABBREVIATED: &[&str] = &[
    "name",
    "version",
    "dependencies",
    "optionalDependencies",
    "devDependencies",
    "bundleDependencies",
    "peerDependencies",
    "peerDependenciesMeta",
    "bin",
    "directories",
    "engines",
    "os",
    "cpu",
    "libc",
    "hasInstallScript",
    "funding",
    "_hasShrinkwrap",
];

/// A package with all its published versions.
#[derive(Debug, Clone, Copy)]
pub struct Packument<'a> {
    /// The name.
    pub name: &'a NpmName,
    /// A number that grows with each change.
    pub revision: u64,
    /// The tags and the versions that they are on.
    pub tags: &'a [(String, String)],
    /// The versions.
    pub versions: &'a [PackumentVersion<'a>],
    /// The time of the first publish.
    pub created: Timestamp,
    /// The time of the last change, also of tags and deprecations.
    pub modified: Timestamp,
    /// The user names of those who may publish.
    pub maintainers: &'a [String],
    /// The readme.
    pub readme: Option<&'a str>,
}

/// A version of a package.
#[derive(Debug, Clone, Copy)]
pub struct PackumentVersion<'a> {
    /// The name of the version.
    pub version: &'a str,
    /// The facts from its tarball.
    pub facts: &'a NpmFacts,
    /// The SHA-1 of the tarball in hexadecimal digits.
    pub shasum: &'a str,
    /// The SHA-512 of the tarball in base 64, after `sha512-`.
    pub integrity: &'a str,
    /// The time of its publish.
    pub published: Timestamp,
    /// The user name of its publisher.
    pub publisher: Option<&'a str>,
    /// The message if it is deprecated.
    pub deprecated: Option<&'a str>,
}

/// Returns whether a client asks for the abbreviated form.
pub fn wants_abbreviated(accept: &str) -> bool {
    let abbreviated = weight(accept, ABBREVIATED_TYPE);
    abbreviated > 0.0 && abbreviated >= weight(accept, "application/json")
}

impl Packument<'_> {
    /// The full document.
    pub fn full(&self) -> String {
        let mut document = self.document(|version| self.version(version));
        document.insert("_id".to_owned(), json!(self.name.to_string()));
        document.insert("_rev".to_owned(), json!(format!("{}-0", self.revision)));
        document.insert("time".to_owned(), self.times());
        let maintainers: Value = self.maintainers.iter().map(|name| json!({ "name": name })).collect();
        document.insert("maintainers".to_owned(), maintainers);
        document.insert("readme".to_owned(), json!(self.readme.unwrap_or_default().replace('\u{2}', "")));
        for key in ["description", "license", "homepage", "repository", "keywords", "bugs", "author"] {
            if let Some(value) = self.latest().and_then(|version| version.facts.manifest.get(key)) {
                document.insert(key.to_owned(), value.clone());
            }
        }
        json_text(&Value::Object(document))
    }

    /// The abbreviated document, which installers need.
    pub fn abbreviated(&self) -> String {
        let mut document = self.document(|version| {
            let mut entry = self.version(version);
            entry.retain(|key, _| ABBREVIATED.contains(&key.as_str()) || matches!(key.as_str(), "dist" | "deprecated"));
            entry
        });
        document.insert("modified".to_owned(), json!(self.modified.to_string()));
        json_text(&Value::Object(document))
    }

    /// The document of one version, by its name or by a tag.
    pub fn one(&self, version_or_tag: &str) -> Option<String> {
        let tagged = self.tags.iter().find(|(tag, _)| tag == version_or_tag).map(|(_, version)| version.as_str());
        let version = self.find(tagged.unwrap_or(version_or_tag))?;
        Some(json_text(&Value::Object(self.version(version))))
    }

    /// The tags as a document.
    pub fn dist_tags(&self) -> String {
        self.tags_value().to_string()
    }

    fn document(&self, entry: impl Fn(&PackumentVersion<'_>) -> Map<String, Value>) -> Map<String, Value> {
        let versions = self.versions.iter().map(|version| (version.version.to_owned(), Value::Object(entry(version))));
        let mut document = Map::new();
        document.insert("name".to_owned(), json!(self.name.to_string()));
        document.insert("dist-tags".to_owned(), self.tags_value());
        document.insert("versions".to_owned(), Value::Object(versions.collect()));
        document
    }

    fn version(&self, version: &PackumentVersion<'_>) -> Map<String, Value> {
        let mut entry = version.facts.manifest.clone();
        entry.insert("_id".to_owned(), json!(format!("{}@{}", self.name, version.version)));
        let dist = json!({
            "tarball": format!("{BASE}/{}", layout::tarball(self.name, version.version).replace('+', "%2B")),
            "shasum": version.shasum,
            "integrity": version.integrity,
            "fileCount": version.facts.file_count,
            "unpackedSize": version.facts.unpacked_bytes,
        });
        entry.insert("dist".to_owned(), dist);
        if let Some(publisher) = version.publisher {
            entry.insert("_npmUser".to_owned(), json!({ "name": publisher }));
        }
        if let Some(message) = version.deprecated {
            entry.insert("deprecated".to_owned(), json!(message));
        }
        entry
    }

    fn times(&self) -> Value {
        let versions = self.versions.iter().map(|version| (version.version, version.published));
        let all = [("created", self.created), ("modified", self.modified)].into_iter().chain(versions);
        Value::Object(all.map(|(name, time)| (name.to_owned(), json!(time.to_string()))).collect())
    }

    fn tags_value(&self) -> Value {
        Value::Object(self.tags.iter().map(|(tag, version)| (tag.clone(), json!(version))).collect())
    }

    fn latest(&self) -> Option<&PackumentVersion<'_>> {
        let latest = self.tags.iter().find(|(tag, _)| tag == "latest");
        latest.and_then(|(_, version)| self.find(version)).or(self.versions.last())
    }

    fn find(&self, name: &str) -> Option<&PackumentVersion<'_>> {
        self.versions.iter().find(|version| version.version == name)
    }
}
