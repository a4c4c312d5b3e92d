//! The document that clients publish with, without the content of its attachments.

#[cfg(test)]
mod tests;

use model::file_path::FilePath;
use semver::Version;
use serde_json::{Map, Value};

use super::{layout, name::NpmName, tag, version};
use crate::readers::{json, quoted};

/// The maximum size of a document without its attachments in bytes.
pub const DOCUMENT_BYTES: usize = 4 * 1024 * 1024;

/// A document of a package that a client sent.
#[derive(Debug, Clone, PartialEq)]
pub struct NpmDocument {
    pub(super) name: NpmName,
    pub(super) document: Map<String, Value>,
}

/// The decoded content of an attachment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attachment {
    /// Its key in the document.
    pub name: String,
    /// Its size.
    pub size_bytes: u64,
    /// Its SHA-1 in hexadecimal digits.
    pub shasum: String,
    /// Its SHA-512 in base 64, after `sha512-`.
    pub integrity: String,
}

/// A checked publish of one version.
#[derive(Debug, Clone, PartialEq)]
pub struct NpmPublish {
    /// The version.
    pub version: Version,
    /// Its manifest as it was sent, for a comparison with the one in the tarball.
    pub manifest: Map<String, Value>,
    /// The tags to set.
    pub tags: Vec<String>,
    /// The position of the tarball in the attachments.
    pub tarball: usize,
    /// The path of the tarball in the repository.
    pub path: FilePath,
    /// The readme, for an empty profile.
    pub readme: Option<String>,
}

impl NpmDocument {
    /// Parses a document that was sent to the URL of this package; the error is for a response with status 400.
    pub fn parse(name: &NpmName, bytes: &[u8]) -> Result<Self, String> {
        if bytes.len() > DOCUMENT_BYTES {
            return Err(format!("the document is larger than {DOCUMENT_BYTES} bytes"));
        }
        let value = json::parse_unique(bytes).map_err(|reason| format!("the document is not valid: {reason}"))?;
        let Value::Object(document) = value else { return Err("the document is not an object".to_owned()) };
        for key in ["name", "_id"] {
            match document.get(key).and_then(Value::as_str) {
                Some(text) if text != name.to_string() => {
                    return Err(format!("the document has the {key} '{}', but its URL is of '{name}'", quoted(text)));
                }
                None if key == "name" => return Err("the document has no name".to_owned()),
                _ => {}
            }
        }
        Ok(Self { name: name.clone(), document })
    }

    /// Returns whether it has attachments; others change versions that exist.
    pub fn is_publish(&self) -> bool {
        self.map("_attachments").is_some_and(|attachments| !attachments.is_empty())
    }

    /// Checks a publish: one new version and one tarball, which is what the document says.
    pub fn publish(&self, attachments: &[Attachment]) -> Result<NpmPublish, String> {
        let (tarball, attachment) = single_tarball(attachments)?;
        let versions = self.map("versions").ok_or("the document has no versions")?;
        let mut entries = versions.iter();
        let (Some((key, manifest)), None) = (entries.next(), entries.next()) else {
            return Err("the document must have exactly one version".to_owned());
        };
        let version = version::parse(key)?;
        let manifest = manifest.as_object().ok_or("the version in the document is not an object")?;
        self.check_manifest(manifest, &version)?;
        self.check_attachment(manifest, attachment)?;
        Ok(NpmPublish {
            tags: self.tags(key)?,
            tarball,
            path: layout::path_of(&self.name, &version)?,
            readme: self.document.get("readme").and_then(Value::as_str).map(str::to_owned),
            manifest: manifest.clone(),
            version,
        })
    }

    fn check_manifest(&self, manifest: &Map<String, Value>, version: &Version) -> Result<(), String> {
        let text = |key: &str| manifest.get(key).and_then(Value::as_str).unwrap_or_default();
        if text("name") != self.name.to_string() {
            return Err(format!(
                "the version in the document has the name '{}' instead of '{}'",
                quoted(text("name")),
                self.name
            ));
        }
        if version::parse(text("version")).as_ref() != Ok(version) {
            return Err(format!("version '{version}' of the document says that it is '{}'", quoted(text("version"))));
        }
        Ok(())
    }

    /// Compares the received content with the sizes and digests in the document.
    fn check_attachment(&self, manifest: &Map<String, Value>, attachment: &Attachment) -> Result<(), String> {
        let stated = self.map("_attachments").and_then(|attachments| attachments.get(&attachment.name));
        let length = stated.and_then(|stated| stated.get("length")).filter(|length| !length.is_null());
        if length.is_some_and(|length| length.as_u64() != Some(attachment.size_bytes)) {
            return Err(format!("the tarball has {} bytes, but the document says otherwise", attachment.size_bytes));
        }
        let digest = |key: &str| manifest.get("dist").and_then(|dist| dist.get(key)).and_then(Value::as_str);
        if digest("shasum").is_some_and(|shasum| !shasum.eq_ignore_ascii_case(&attachment.shasum)) {
            return Err("the tarball does not have the SHA-1 that the document names".to_owned());
        }
        let integrity = digest("integrity").into_iter().flat_map(str::split_whitespace);
        let mut sha512 = integrity.filter(|hash| hash.starts_with("sha512-"));
        if !sha512.all(|hash| hash.split('?').next() == Some(&attachment.integrity)) {
            return Err("the tarball does not have the SHA-512 that the document names".to_owned());
        }
        Ok(())
    }

    /// The tags of the document, all of which must be on its one version.
    fn tags(&self, version: &str) -> Result<Vec<String>, String> {
        let mut tags = Vec::new();
        for (name, target) in self.map("dist-tags").into_iter().flatten() {
            tag::check(name)?;
            if target.as_str() != Some(version) {
                return Err(format!("tag '{name}' names a version that the document does not have: {target}"));
            }
            tags.push(name.clone());
        }
        Ok(tags)
    }

    pub(super) fn map(&self, key: &str) -> Option<&Map<String, Value>> {
        self.document.get(key).and_then(Value::as_object)
    }
}

fn single_tarball(attachments: &[Attachment]) -> Result<(usize, &Attachment), String> {
    let mut tarballs = attachments.iter().enumerate().filter(|(_, attachment)| !attachment.name.ends_with(".sigstore"));
    match (tarballs.next(), tarballs.next()) {
        (None, _) => Err("the document has no tarball attached".to_owned()),
        (Some(_), Some(_)) => Err("the document has more than one tarball attached".to_owned()),
        (Some((_, tarball)), None) if !tarball.name.ends_with(".tgz") => {
            Err(format!("attachment '{}' is not a .tgz file", quoted(&tarball.name)))
        }
        (Some(tarball), None) => Ok(tarball),
    }
}
