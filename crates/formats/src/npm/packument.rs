//! Documents of a package, in full and abbreviated form. They are put together as text from manifests that were rendered
//! when their tarballs arrived.

#[cfg(test)]
mod tests;

use std::fmt::Write;

use model::{index_frame, timestamp::Timestamp};
use serde_json::{Value, json};

use super::{layout, name::NpmName, rendered::RenderedFacts};
use crate::{accept::weight, base::BASE};

/// The media type of the abbreviated form.
pub const ABBREVIATED_TYPE: &str = "application/vnd.npm.install-v1+json";

/// The section of versions in the full form.
pub const FULL: u8 = 0;

/// The section of their times, which the full form has, too.
pub const TIMES: u8 = 1;

/// The section of versions in the abbreviated form.
pub const ABBREVIATED: u8 = 2;

/// The number of sections.
const SECTIONS: usize = 3;

/// A package with some of its published versions.
#[derive(Debug, Clone, Copy)]
pub struct Packument<'a> {
    /// The name.
    pub name: &'a NpmName,
    /// A number that grows with each change.
    pub revision: u64,
    /// The tags and the versions that they are on.
    pub tags: &'a [(String, String)],
    /// The versions that are rendered; the latest one, if a frame is.
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
    pub facts: RenderedFacts<'a>,
    /// The SHA-1 of the tarball in hexadecimal digits.
    pub shasum: &'a str,
    /// The SHA-512 of the tarball in base 64, after `sha512-`, if it is known.
    pub integrity: Option<&'a str>,
    /// The time of its publish.
    pub published: Timestamp,
    /// The message if it is deprecated.
    pub deprecated: Option<&'a str>,
}

/// Returns whether a client asks for the abbreviated form.
pub fn wants_abbreviated(accept: &str) -> bool {
    let abbreviated = weight(accept, ABBREVIATED_TYPE);
    abbreviated > 0.0 && abbreviated >= weight(accept, "application/json")
}

impl Packument<'_> {
    /// What the versions add to the sections of both forms.
    pub fn sections(&self) -> Vec<String> {
        let mut sections = vec![String::new(); SECTIONS];
        if let [full, times, abbreviated] = sections.as_mut_slice() {
            for (position, version) in self.versions.iter().enumerate() {
                let comma = if position == 0 { "" } else { "," };
                let name = quote(version.version);
                let _ = write!(full, "{comma}{name}:{}", version.facts.full);
                self.push_registry_keys(full, version);
                let _ = write!(full, ",\"_id\":{}}}", self.id(version));
                let _ = write!(times, "{comma}{name}:\"{}\"", version.published);
                let _ = write!(abbreviated, "{comma}{name}:{}", version.facts.abbreviated);
                self.push_registry_keys(abbreviated, version);
                abbreviated.push('}');
            }
        }
        sections
    }

    /// The full document, with places for the sections. Of the versions, only the latest is needed.
    pub fn full_frame(&self) -> Result<String, String> {
        let (mut text, times) = (self.start(FULL), index_frame::place(TIMES, ","));
        let maintainers: Value = self.maintainers.iter().map(|name| json!({ "name": name })).collect();
        let readme = quote(&self.readme.unwrap_or_default().replace('\u{2}', ""));
        let (id, revision) = (quote(&self.name.to_string()), self.revision);
        let _ = write!(
            text,
            "}},\"_id\":{id},\"_rev\":\"{revision}-0\",\"time\":{{\"created\":\"{}\",\"modified\":\"{}\",{times}}},\
             \"maintainers\":{maintainers},\"readme\":{readme}",
            self.created, self.modified,
        );
        let manifest = self.latest().map(|version| version.facts.manifest()).transpose()?;
        for key in ["description", "license", "homepage", "repository", "keywords", "bugs", "author"] {
            if let Some(value) = manifest.as_ref().and_then(|manifest| manifest.get(key)) {
                let _ = write!(text, ",\"{key}\":{value}");
            }
        }
        Ok(text + "}")
    }

    /// The abbreviated document, which installers need, with a place for its section.
    pub fn abbreviated_frame(&self) -> String {
        format!("{}}},\"modified\":\"{}\"}}", self.start(ABBREVIATED), self.modified)
    }

    /// The document of one version, by its name or by a tag.
    pub fn one(&self, version_or_tag: &str) -> Option<String> {
        let tagged = self.tags.iter().find(|(tag, _)| tag == version_or_tag).map(|(_, version)| version.as_str());
        let version = self.find(tagged.unwrap_or(version_or_tag))?;
        let mut text = version.facts.full.to_owned();
        self.push_registry_keys(&mut text, version);
        let _ = write!(text, ",\"_id\":{}}}", self.id(version));
        Some(text)
    }

    /// The tags as a document.
    pub fn dist_tags(&self) -> String {
        Value::Object(self.tags.iter().map(|(tag, version)| (tag.clone(), json!(version))).collect()).to_string()
    }

    /// The beginning of both forms, with the place for the versions.
    fn start(&self, section: u8) -> String {
        let (name, tags) = (quote(&self.name.to_string()), self.dist_tags());
        format!("{{\"name\":{name},\"dist-tags\":{tags},\"versions\":{{{}", index_frame::place(section, ","))
    }

    fn id(&self, version: &PackumentVersion<'_>) -> String {
        quote(&format!("{}@{}", self.name, version.version))
    }

    /// Adds the keys that the registry sets.
    fn push_registry_keys(&self, text: &mut String, version: &PackumentVersion<'_>) {
        // The marker must stay as it is, so it is not part of a text that is quoted. Names need no quotes.
        let tarball = layout::tarball(self.name, version.version).replace('+', "%2B");
        let _ = write!(text, ",\"dist\":{{\"tarball\":\"{BASE}/{tarball}\",\"shasum\":\"{}\"", version.shasum);
        if let Some(integrity) = version.integrity {
            let _ = write!(text, ",\"integrity\":\"{integrity}\"");
        }
        let (files, bytes) = (version.facts.file_count, version.facts.unpacked_bytes);
        let _ = write!(text, ",\"fileCount\":{files},\"unpackedSize\":{bytes}}}");
        if let Some(message) = version.deprecated {
            let _ = write!(text, ",\"deprecated\":{}", quote(&message.replace('\u{2}', "")));
        }
    }

    fn latest(&self) -> Option<&PackumentVersion<'_>> {
        let latest = self.tags.iter().find(|(tag, _)| tag == "latest");
        latest.and_then(|(_, version)| self.find(version)).or(self.versions.last())
    }

    fn find(&self, name: &str) -> Option<&PackumentVersion<'_>> {
        self.versions.iter().find(|version| version.version == name)
    }
}

/// A text as JSON.
fn quote(text: &str) -> String {
    Value::from(text).to_string()
}
