//! What a manifest is for, in words for people: signatures, attestations and other artifacts beside images.

/// Types of artifacts and configurations, and what people call them.
const KINDS: [(&str, &str); 17] = [
    ("application/vnd.dev.cosign.artifact.sig", "Signature"),
    ("application/vnd.dev.cosign.simplesigning", "Signature"),
    ("application/vnd.cncf.notary.signature", "Signature"),
    ("application/vnd.dev.sigstore.bundle", "Sigstore bundle"),
    ("application/vnd.in-toto", "Attestation"),
    ("application/vnd.dsse.envelope", "Attestation"),
    ("application/vnd.dev.cosign.attestation", "Attestation"),
    ("application/spdx", "Bill of materials"),
    ("text/spdx", "Bill of materials"),
    ("application/vnd.cyclonedx", "Bill of materials"),
    ("application/vnd.syft", "Bill of materials"),
    ("application/sarif", "Scan report"),
    ("application/vnd.cncf.helm.", "Helm chart"),
    ("application/vnd.wasm.", "WebAssembly module"),
    ("application/vnd.docker.attestation.", "Attestation"),
    ("application/vnd.docker.plugin", "Docker plugin"),
    ("application/vnd.cnab.", "Application bundle"),
];

/// Types of configurations of images.
const IMAGES: [&str; 2] =
    ["application/vnd.oci.image.config.v1+json", "application/vnd.docker.container.image.v1+json"];

/// What an artifact type is for; empty for images.
pub(super) fn of_type(artifact_type: &str) -> String {
    if artifact_type.is_empty() || IMAGES.contains(&artifact_type) {
        return String::new();
    }
    let known = KINDS.iter().find(|(prefix, _)| artifact_type.starts_with(prefix));
    known.map_or("Artifact", |(_, name)| name).to_owned()
}

/// What a tag is for, if clients make such tags by themselves.
pub(super) fn of_tag(tag: &str) -> Option<&'static str> {
    let rest = tag.strip_prefix("sha256-")?;
    let (hex, ending) = rest.split_at_checked(64)?;
    if !hex.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    match ending {
        ".sig" => Some("Signature"),
        ".att" => Some("Attestation"),
        ".sbom" => Some("Bill of materials"),
        "" => Some("List of referrers"),
        _ => None,
    }
}

/// The tags that clients give to manifests about the manifest with this digest.
pub(super) fn tags_about(digest: &str) -> Vec<String> {
    let base = digest.replace(':', "-");
    [".sig", ".att", ".sbom"].iter().map(|ending| format!("{base}{ending}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_named() {
        for (artifact_type, purpose) in [
            ("", ""),
            ("application/vnd.oci.image.config.v1+json", ""),
            ("application/vnd.dev.cosign.artifact.sig.v1+json", "Signature"),
            ("application/vnd.dev.sigstore.bundle.v0.3+json", "Sigstore bundle"),
            ("application/vnd.in-toto+json", "Attestation"),
            ("application/spdx+json", "Bill of materials"),
            ("application/vnd.cncf.helm.config.v1+json", "Helm chart"),
            ("application/vnd.acme.thing", "Artifact"),
        ] {
            assert_eq!(of_type(artifact_type), purpose, "{artifact_type}");
        }
    }

    #[test]
    fn tags_of_signatures_are_known() {
        let digest = format!("sha256:{}", "ab".repeat(32));
        let tags = tags_about(&digest);
        let purposes: Vec<_> = tags.iter().map(|tag| of_tag(tag)).collect();
        assert_eq!(purposes, [Some("Signature"), Some("Attestation"), Some("Bill of materials")]);
        assert_eq!(of_tag(&digest.replace(':', "-")), Some("List of referrers"));
        for other in ["v1", "sha256-ab.sig", &format!("{}.other", digest.replace(':', "-")), "sha256-\u{e9}"] {
            assert_eq!(of_tag(other), None, "{other}");
        }
    }
}
