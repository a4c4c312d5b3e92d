//! Manifests and indexes, checked before they are stored.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{
    descriptor::{OciDescriptor, OciPlatform, annotations, media_type},
    error::{OciError, OciErrorCode},
    reference::OciDigest,
};
use crate::readers::{json, quoted};

/// The maximum size of a manifest.
pub const MANIFEST_BYTES: usize = 4 * 1024 * 1024;

/// The maximum number of layers or of manifests in an index.
pub const CHILDREN: usize = 10_000;

/// The maximum size of all annotations of a manifest that has a subject. They are repeated in the list of referrers.
pub const ANNOTATION_BYTES: usize = 256 * 1024;

/// The maximum number of platforms that lists of tags show.
const PLATFORMS: usize = 50;

/// The media type of an OCI index, and of the list of referrers.
pub const INDEX_TYPE: &str = "application/vnd.oci.image.index.v1+json";

/// The media types that are accepted.
const MEDIA_TYPES: [&str; 4] = [
    "application/vnd.oci.image.manifest.v1+json",
    "application/vnd.docker.distribution.manifest.v2+json",
    INDEX_TYPE,
    "application/vnd.docker.distribution.manifest.list.v2+json",
];

/// The two kinds of manifests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ManifestKind {
    /// A configuration and layers; also artifacts.
    Image,
    /// A list of manifests, for example one for each platform.
    Index,
}

impl ManifestKind {
    /// Returns the kind of a media type that is accepted.
    pub fn of_media_type(media_type: &str) -> Option<Self> {
        match media_type {
            "application/vnd.oci.image.manifest.v1+json" | "application/vnd.docker.distribution.manifest.v2+json" => {
                Some(Self::Image)
            }
            INDEX_TYPE | "application/vnd.docker.distribution.manifest.list.v2+json" => Some(Self::Index),
            _ => None,
        }
    }
}

/// The facts of a manifest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OciManifest {
    /// The media type, that of the request's `Content-Type`.
    pub media_type: String,
    /// The kind of the media type.
    pub kind: ManifestKind,
    /// The artifact type, or the media type of the configuration of an image.
    pub artifact_type: Option<String>,
    /// The configuration of an image.
    pub config: Option<OciDescriptor>,
    /// The layers of an image, or the manifests of an index.
    pub children: Vec<OciDescriptor>,
    /// The manifest that this one refers to. It need not exist.
    pub subject: Option<OciDescriptor>,
    /// The annotations.
    pub annotations: BTreeMap<String, String>,
}

impl OciManifest {
    /// Parses and checks a manifest that was sent with this `Content-Type`.
    pub fn parse(content_type: &str, bytes: &[u8]) -> Result<Self, OciError> {
        if bytes.len() > MANIFEST_BYTES {
            let error = OciError::new(OciErrorCode::ManifestInvalid, "the manifest is larger than 4 MiB");
            return Err(error.with_status(413));
        }
        parse(content_type, bytes).map_err(|reason| {
            OciError::new(OciErrorCode::ManifestInvalid, format!("the manifest is not valid: {reason}"))
        })
    }

    /// The blobs that the image must have: configuration and layers, without foreign ones.
    pub fn blobs(&self) -> impl Iterator<Item = &OciDescriptor> {
        let layers = if self.kind == ManifestKind::Image { self.children.as_slice() } else { &[] };
        self.config.iter().chain(layers).filter(|descriptor| !descriptor.is_foreign)
    }

    /// The manifests that the image must have.
    pub fn manifests(&self) -> &[OciDescriptor] {
        if self.kind == ManifestKind::Index { &self.children } else { &[] }
    }

    /// Refuses a manifest that contains or refers to itself.
    pub fn check_digest(&self, own: &OciDigest) -> Result<(), OciError> {
        let mut others = self.manifests().iter().chain(&self.subject);
        if others.any(|descriptor| descriptor.digest == *own) {
            return Err(OciError::new(OciErrorCode::ManifestInvalid, "the manifest contains itself"));
        }
        Ok(())
    }
}

/// What is stored about the file of a manifest: its media type, artifact type and platforms. The platform of an image
/// is in its configuration.
pub fn facts(manifest: &OciManifest, own: Option<&OciPlatform>) -> String {
    let of_children = manifest.manifests().iter().filter_map(|child| child.platform.as_ref());
    let platforms: Vec<String> = of_children.chain(own).take(PLATFORMS).map(ToString::to_string).collect();
    let facts = serde_json::json!({
        "mediaType": manifest.media_type,
        "artifactType": manifest.artifact_type,
        "platforms": platforms,
    });
    facts.to_string()
}

/// The media type in the facts of a manifest.
pub fn media_type_of_facts(facts: &str) -> &'static str {
    let facts: Value = serde_json::from_str(facts).unwrap_or_default();
    let said = facts.get("mediaType").and_then(Value::as_str).unwrap_or_default();
    MEDIA_TYPES.into_iter().find(|known| *known == said).unwrap_or(MEDIA_TYPES[0])
}

/// The answer to a descriptor whose content the image does not have.
pub fn unknown_content(descriptor: &OciDescriptor) -> OciError {
    let digest = descriptor.digest.as_str();
    let message = format!("the manifest refers to {digest}, which the image does not have; upload it first");
    OciError::new(OciErrorCode::ManifestBlobUnknown, message).about(digest)
}

/// Checks the size in a descriptor against the stored content.
pub fn check_size(descriptor: &OciDescriptor, stored_bytes: u64) -> Result<(), OciError> {
    if descriptor.size_bytes == stored_bytes {
        return Ok(());
    }
    let (digest, said) = (descriptor.digest.as_str(), descriptor.size_bytes);
    let message = format!("the manifest says that {digest} has {said} bytes, but it has {stored_bytes}");
    Err(OciError::new(OciErrorCode::ManifestInvalid, message).about(digest))
}

fn parse(content_type: &str, bytes: &[u8]) -> Result<OciManifest, String> {
    let content_type = content_type.split(';').next().unwrap_or_default().trim();
    let kind = ManifestKind::of_media_type(content_type)
        .ok_or_else(|| format!("its media type '{}' is not supported", quoted(content_type)))?;
    let document = json::parse_unique(bytes)?;
    let object = document.as_object().ok_or("it is not a JSON object")?;
    if object.get("schemaVersion").and_then(Value::as_u64) != Some(2) {
        return Err("its schemaVersion is not 2".to_owned());
    }
    if let Some(inner) = media_type(object, "mediaType", "the manifest")?.filter(|inner| inner != content_type) {
        return Err(format!("its mediaType '{}' differs from the Content-Type '{content_type}'", quoted(&inner)));
    }
    let mut annotation_bytes = 0;
    let (config, children) = match kind {
        ManifestKind::Image => image(object, &mut annotation_bytes)?,
        ManifestKind::Index => (None, index(object, &mut annotation_bytes)?),
    };
    let subject = match object.get("subject") {
        None | Some(Value::Null) => None,
        Some(value) => Some(OciDescriptor::parse(value, "the subject", &mut annotation_bytes)?),
    };
    let annotations = annotations(object, "the manifest")?;
    annotation_bytes += annotations.iter().map(|(key, value)| key.len() + value.len()).sum::<usize>();
    if subject.is_some() && annotation_bytes > ANNOTATION_BYTES {
        return Err("it has a subject, and its annotations are larger than 256 KiB".to_owned());
    }
    let artifact_type = media_type(object, "artifactType", "the manifest")?
        .or_else(|| config.as_ref().map(|config| config.media_type.clone()));
    let media_type = content_type.to_owned();
    Ok(OciManifest { media_type, kind, artifact_type, config, children, subject, annotations })
}

fn image(
    object: &Map<String, Value>,
    annotation_bytes: &mut usize,
) -> Result<(Option<OciDescriptor>, Vec<OciDescriptor>), String> {
    // A document that can be read as an image and as an index has two meanings.
    if object.contains_key("manifests") || object.contains_key("fsLayers") {
        return Err("an image has no manifests".to_owned());
    }
    let config = object.get("config").ok_or("it has no config")?;
    let config = OciDescriptor::parse(config, "the config", annotation_bytes)?;
    Ok((Some(config), children(object, "layers", "layer", annotation_bytes)?))
}

fn index(object: &Map<String, Value>, annotation_bytes: &mut usize) -> Result<Vec<OciDescriptor>, String> {
    if ["config", "layers", "fsLayers"].iter().any(|key| object.contains_key(*key)) {
        return Err("an index has no config and no layers".to_owned());
    }
    children(object, "manifests", "manifest", annotation_bytes)
}

fn children(
    object: &Map<String, Value>,
    key: &str,
    what: &str,
    annotation_bytes: &mut usize,
) -> Result<Vec<OciDescriptor>, String> {
    let list = match object.get(key) {
        // Clients in Go write an empty list so.
        Some(Value::Null) => return Ok(Vec::new()),
        Some(Value::Array(list)) => list,
        _ => return Err(format!("it has no {key}")),
    };
    if list.len() > CHILDREN {
        return Err(format!("it has more than {CHILDREN} {key}"));
    }
    let parse = |(position, value)| OciDescriptor::parse(value, &format!("{what} {position}"), annotation_bytes);
    list.iter().enumerate().map(parse).collect()
}

#[cfg(test)]
mod tests;
