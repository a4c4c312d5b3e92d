//! The list of manifests that refer to a manifest.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{
    manifest::{INDEX_TYPE, OciManifest},
    reference::OciDigest,
};

/// A manifest whose subject is the one asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Referrer {
    /// Its media type.
    pub media_type: String,
    /// Its size.
    pub size: u64,
    /// Its digest.
    pub digest: OciDigest,
    /// Its artifact type, or the media type of its configuration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifact_type: Option<String>,
    /// Its annotations.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub annotations: BTreeMap<String, String>,
}

/// The entry of a manifest in the list of referrers of its subject.
pub fn referrer(manifest: &OciManifest, digest: &OciDigest, size: u64) -> Referrer {
    Referrer {
        media_type: manifest.media_type.clone(),
        size,
        digest: digest.clone(),
        artifact_type: manifest.artifact_type.clone(),
        annotations: manifest.annotations.clone(),
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ReferrersIndex<'a> {
    schema_version: u8,
    media_type: &'static str,
    manifests: Vec<&'a Referrer>,
}

/// The index of referrers, with those of one artifact type only if the client asks for it. An image without referrers
/// has an empty index.
pub fn referrers_index(referrers: &[Referrer], artifact_type: Option<&str>) -> String {
    let is_wanted = |referrer: &&Referrer| artifact_type.is_none_or(|t| referrer.artifact_type.as_deref() == Some(t));
    let manifests = referrers.iter().filter(is_wanted).collect();
    let index = ReferrersIndex { schema_version: 2, media_type: INDEX_TYPE, manifests };
    serde_json::to_string(&index).expect("texts and numbers are always JSON")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn referrer(artifact_type: &str) -> Referrer {
        Referrer {
            media_type: "application/vnd.oci.image.manifest.v1+json".to_owned(),
            size: 723,
            digest: OciDigest::from_sha256_hex(&"ab".repeat(32)).expect("a digest"),
            artifact_type: Some(artifact_type.to_owned()),
            annotations: BTreeMap::from([("a".to_owned(), "\"b\"".to_owned())]),
        }
    }

    #[test]
    fn an_index_lists_the_wanted_referrers() {
        let both = [referrer("application/vnd.acme.sbom"), referrer("text/plain")];
        let index = referrers_index(&both, Some("application/vnd.acme.sbom"));
        let expected = format!(
            "{{\"schemaVersion\":2,\"mediaType\":\"{INDEX_TYPE}\",\"manifests\":[{{\"mediaType\":\
             \"application/vnd.oci.image.manifest.v1+json\",\"size\":723,\"digest\":\"sha256:{}\",\"artifactType\":\
             \"application/vnd.acme.sbom\",\"annotations\":{{\"a\":\"\\\"b\\\"\"}}}}]}}",
            "ab".repeat(32)
        );
        assert_eq!(index, expected);
        let read = |text: &str| OciManifest::parse(INDEX_TYPE, text.as_bytes()).expect("an index").children.len();
        assert_eq!(read(&referrers_index(&both, None)), 2);
        assert_eq!(read(&referrers_index(&[], None)), 0);
    }
}
