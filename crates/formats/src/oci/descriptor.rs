//! Descriptors: media type, digest and size of other content.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::reference::OciDigest;
use crate::readers::quoted;

/// The largest size that every client reads without loss, 2^53 - 1.
const MOST_BYTES: u64 = (1 << 53) - 1;

/// The maximum length of a media type.
const MEDIA_TYPE_BYTES: usize = 255;

/// Points to a blob or a manifest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OciDescriptor {
    /// The media type.
    pub media_type: String,
    /// The digest.
    pub digest: OciDigest,
    /// The size, which must be that of the stored content.
    pub size_bytes: u64,
    /// Whether the content may be fetched from other servers, so that the image need not have it.
    pub is_foreign: bool,
    /// The platform of a manifest in an index.
    pub platform: Option<OciPlatform>,
    /// The artifact type of a manifest in an index.
    pub artifact_type: Option<String>,
}

/// The platform that an image runs on.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OciPlatform {
    /// The operating system.
    pub os: String,
    /// The processor architecture.
    pub architecture: String,
    /// The variant of the architecture.
    pub variant: Option<String>,
}

impl OciDescriptor {
    /// Parses a descriptor; `what` names it in messages. Adds the size of its annotations to a count.
    pub(super) fn parse(value: &Value, what: &str, annotation_bytes: &mut usize) -> Result<Self, String> {
        let object = value.as_object().ok_or_else(|| format!("{what} is not an object"))?;
        let digest = text(object, "digest", what)?.ok_or_else(|| format!("{what} has no digest"))?;
        let is_foreign = match object.get("urls") {
            None | Some(Value::Null) => false,
            Some(Value::Array(urls)) if urls.iter().all(Value::is_string) => !urls.is_empty(),
            Some(_) => return Err(format!("the urls of {what} are not a list of texts")),
        };
        for size in annotations(object, what)?.iter().map(|(key, value)| key.len() + value.len()) {
            *annotation_bytes += size;
        }
        Ok(Self {
            media_type: media_type(object, "mediaType", what)?.ok_or_else(|| format!("{what} has no mediaType"))?,
            digest: OciDigest::parse(&digest).map_err(|error| format!("{what}: {}", error.message))?,
            size_bytes: size(object, what)?,
            is_foreign,
            platform: object.get("platform").and_then(OciPlatform::parse),
            artifact_type: media_type(object, "artifactType", what)?,
        })
    }
}

impl std::fmt::Display for OciPlatform {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.os, self.architecture)?;
        self.variant.iter().try_for_each(|variant| write!(f, "/{variant}"))
    }
}

impl OciPlatform {
    /// Reads a platform; `None` unless it has an operating system and an architecture.
    pub(super) fn parse(value: &Value) -> Option<Self> {
        let text = |key: &str| Some(value.get(key)?.as_str()?.chars().take(100).collect::<String>());
        Some(Self { os: text("os")?, architecture: text("architecture")?, variant: text("variant") })
    }
}

fn size(object: &Map<String, Value>, what: &str) -> Result<u64, String> {
    match object.get("size") {
        None => Err(format!("{what} has no size")),
        Some(value) => value
            .as_u64()
            .filter(|size| *size <= MOST_BYTES)
            .ok_or_else(|| format!("the size of {what} is not a whole number from 0 to 2^53 - 1")),
    }
}

/// Reads an optional text; `null` is the same as nothing.
pub(super) fn text(object: &Map<String, Value>, key: &str, what: &str) -> Result<Option<String>, String> {
    match object.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(format!("the {key} of {what} is not a text")),
    }
}

/// Reads an optional media type. It becomes a header, so it holds printable ASCII only.
pub(super) fn media_type(object: &Map<String, Value>, key: &str, what: &str) -> Result<Option<String>, String> {
    let Some(text) = text(object, key, what)?.filter(|text| !text.is_empty()) else { return Ok(None) };
    if text.len() > MEDIA_TYPE_BYTES || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(format!("the {key} '{}' of {what} is not a media type", quoted(&text)));
    }
    Ok(Some(text))
}

/// Reads annotations, which are texts.
pub(super) fn annotations(object: &Map<String, Value>, what: &str) -> Result<BTreeMap<String, String>, String> {
    let entries = match object.get("annotations") {
        None | Some(Value::Null) => return Ok(BTreeMap::new()),
        Some(Value::Object(entries)) => entries,
        Some(_) => return Err(format!("the annotations of {what} are not an object")),
    };
    let read = |(key, value): (&String, &Value)| match value {
        Value::String(text) => Ok((key.clone(), text.clone())),
        _ => Err(format!("the annotation '{}' of {what} is not a text", quoted(key))),
    };
    entries.iter().map(read).collect()
}
