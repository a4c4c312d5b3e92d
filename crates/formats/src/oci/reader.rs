//! Manifests and configurations as pages show them.

use operations::format::{ConfigView, HistoryStep, ImageReader, ImageSummary, LayerView, ManifestEntry, ManifestView};
use serde_json::Value;

use super::{
    config::ImageConfig,
    descriptor::OciDescriptor,
    manifest::{INDEX_TYPE, ManifestKind, OciManifest},
    purpose,
    referrers::Referrer,
};

/// Reads what is stored of images.
pub(super) struct Reader;

impl ImageReader for Reader {
    fn manifest(&self, bytes: &[u8]) -> Option<ManifestView> {
        let document: Value = serde_json::from_slice(bytes).ok()?;
        // What is stored was accepted with its media type, which need not stand in the document.
        let default = if document.get("manifests").is_some() { INDEX_TYPE } else { IMAGE_TYPE };
        let media_type = document.get("mediaType").and_then(Value::as_str).unwrap_or(default);
        let manifest = OciManifest::parse(media_type, bytes).ok()?;
        let layer = |layer: &OciDescriptor| LayerView {
            digest: layer.digest.as_str().to_owned(),
            size: layer.size_bytes,
            media_type: layer.media_type.clone(),
            made_by: String::new(),
        };
        let is_image = manifest.kind == ManifestKind::Image;
        let layers: Vec<LayerView> = manifest.children.iter().filter(|_| is_image).map(layer).collect();
        let config_size = manifest.config.as_ref().map_or(0, |config| config.size_bytes);
        Some(ManifestView {
            purpose: purpose::of_type(manifest.artifact_type.as_deref().unwrap_or_default()),
            size: layers.iter().map(|layer| layer.size).sum::<u64>() + config_size,
            children: manifest.manifests().iter().map(entry).collect(),
            config: manifest.config.map(|config| config.digest.as_str().to_owned()),
            subject: manifest.subject.map(|subject| subject.digest.as_str().to_owned()),
            layers,
        })
    }

    fn config(&self, bytes: &[u8]) -> Option<ConfigView> {
        let config = ImageConfig::parse(bytes).ok()?;
        let step = |(made_by, is_empty)| HistoryStep { made_by, is_empty };
        Some(ConfigView {
            platform: config.platform.map(|platform| platform.to_string()).unwrap_or_default(),
            history: config.history.into_iter().map(step).collect(),
        })
    }

    fn referrer(&self, text: &str) -> Option<ManifestEntry> {
        let referrer: Referrer = serde_json::from_str(text).ok()?;
        let kind = referrer.artifact_type.unwrap_or(referrer.media_type);
        Some(ManifestEntry {
            digest: referrer.digest.as_str().to_owned(),
            size: referrer.size,
            platform: String::new(),
            purpose: purpose::of_type(&kind),
            kind,
        })
    }

    fn summary(&self, tag: &str, facts: &str) -> ImageSummary {
        let facts: Value = serde_json::from_str(facts).unwrap_or_default();
        let artifact_type = facts.get("artifactType").and_then(Value::as_str).unwrap_or_default();
        let of_tag = purpose::of_tag(tag).map(str::to_owned);
        let platforms = facts.get("platforms").and_then(Value::as_array);
        let texts = platforms.into_iter().flatten().filter_map(Value::as_str);
        ImageSummary {
            purpose: of_tag.unwrap_or_else(|| purpose::of_type(artifact_type)),
            platforms: texts.filter(|text| *text != UNKNOWN).map(str::to_owned).collect(),
        }
    }

    fn tags_about(&self, digest: &str) -> Vec<String> {
        purpose::tags_about(digest)
    }
}

/// The media type of an image.
const IMAGE_TYPE: &str = "application/vnd.oci.image.manifest.v1+json";

/// The platform that builders give to attestations in an index.
const UNKNOWN: &str = "unknown/unknown";

fn entry(child: &OciDescriptor) -> ManifestEntry {
    let platform = child.platform.as_ref().map(ToString::to_string).unwrap_or_default();
    let is_attestation = platform == UNKNOWN;
    let kind = child.artifact_type.clone().unwrap_or_else(|| child.media_type.clone());
    let purpose = child.artifact_type.as_deref().map(purpose::of_type).unwrap_or_default();
    ManifestEntry {
        digest: child.digest.as_str().to_owned(),
        size: child.size_bytes,
        platform: if is_attestation { String::new() } else { platform },
        purpose: if is_attestation { "Attestation".to_owned() } else { purpose },
        kind,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_index_has_platforms_and_attestations() {
        let digest = |byte: &str| format!("sha256:{}", byte.repeat(32));
        let child = |byte: &str, os: &str| {
            json!({
                "mediaType": IMAGE_TYPE, "digest": digest(byte), "size": 7,
                "platform": { "os": os, "architecture": if os == "linux" { "arm64" } else { os } },
            })
        };
        let text = json!({ "schemaVersion": 2, "manifests": [child("aa", "linux"), child("bb", "unknown")] });
        let view = Reader.manifest(text.to_string().as_bytes()).expect("an index");
        let seen: Vec<_> = view.children.iter().map(|child| (&*child.platform, &*child.purpose)).collect();
        assert_eq!(seen, [("linux/arm64", ""), ("", "Attestation")]);
        assert_eq!(Reader.manifest(b"no JSON"), None);
        let summary = Reader.summary("v1", r#"{"platforms":["linux/arm64","unknown/unknown"],"artifactType":null}"#);
        assert_eq!((summary.platforms, summary.purpose), (vec!["linux/arm64".to_owned()], String::new()));
    }
}
