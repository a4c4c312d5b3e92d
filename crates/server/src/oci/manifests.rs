//! Puts and deletes manifests.

use axum::{
    body::{Body, to_bytes},
    http::{StatusCode, header},
    response::Response,
};
use bytes::Bytes;
use formats::oci::{
    ImageConfig, OciDescriptor, OciDigest, OciManifest, OciPlatform, OciReference,
    config::is_image_config,
    error::{OciError, OciErrorCode},
    manifest::{MANIFEST_BYTES, facts},
    path::manifest_path,
    referrers::referrer,
};
use model::{digest::Digest, names::VersionName};
use operations::oci::{self, NewManifest, Reference};
use sha2::{Digest as _, Sha256};

use super::{Call, Result, empty, uploads::sha256};

impl Call<'_> {
    pub(super) async fn put_manifest(&self, reference: &OciReference, body: Body) -> Result<Response> {
        let house = self.app.house();
        // Nothing is read for callers who may not push.
        oci::check_push(house, &self.who.caller, &self.at).await?;
        let bytes = self.read(body).await?;
        let content_type = self.parts.headers.get(header::CONTENT_TYPE);
        let content_type = content_type.and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
        let named = reference.clone();
        let parsed = tokio::task::spawn_blocking(move || parse(&content_type, bytes, &named)).await;
        let parsed = parsed.map_err(|error| operations::Error::Internal(error.to_string()))?;
        let (manifest, digest, mut new) = parsed?;
        new.facts = facts(&manifest, self.platform(&manifest).await?.as_ref());
        oci::put_manifest(house, &self.who.caller, &self.at, &new).await?;
        let mut headers = vec![
            ("location", manifest_path(self.name, reference.as_str())),
            ("docker-content-digest", digest.as_str().to_owned()),
        ];
        headers.extend(manifest.subject.map(|subject| ("oci-subject", subject.digest.as_str().to_owned())));
        Ok(empty(StatusCode::CREATED, &headers))
    }

    pub(super) async fn delete_manifest(&self, reference: &str) -> Result<Response> {
        oci::delete_manifest(self.app.house(), &self.who.caller, &self.at, reference).await?;
        Ok(empty(StatusCode::ACCEPTED, &[]))
    }

    /// The platform of an image, which is in its configuration.
    async fn platform(&self, manifest: &OciManifest) -> Result<Option<OciPlatform>> {
        let Some(config) = manifest.config.as_ref().filter(|config| is_image_config(&config.media_type)) else {
            return Ok(None);
        };
        let digest = sha256(&config.digest);
        let Some(bytes) = oci::read_pushed_config(self.app.house(), &self.who.caller, &self.at, digest).await? else {
            return Ok(None);
        };
        let parsed = tokio::task::spawn_blocking(move || ImageConfig::parse(&bytes)).await;
        // A configuration that cannot be read says nothing about a platform.
        Ok(parsed.ok().and_then(|parsed| parsed.ok()?.platform))
    }

    async fn read(&self, body: Body) -> Result<Bytes> {
        let too_large = || {
            let message = "the manifest is larger than 4 MiB";
            OciError::new(OciErrorCode::ManifestInvalid, message).with_status(413)
        };
        let length = self.parts.headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
        if length.is_some_and(|length: u64| length > MANIFEST_BYTES as u64) {
            return Err(too_large().into());
        }
        let broken = |error: axum::Error| {
            let is_limit = std::error::Error::source(&error).is_some_and(|cause| cause.to_string().contains("limit"));
            if is_limit { too_large() } else { OciError::new(OciErrorCode::ManifestInvalid, "the manifest broke off") }
        };
        Ok(to_bytes(body, MANIFEST_BYTES).await.map_err(broken)?)
    }
}

fn parse(
    content_type: &str,
    bytes: Bytes,
    reference: &OciReference,
) -> std::result::Result<(OciManifest, OciDigest, NewManifest), OciError> {
    let sum = Digest::from_bytes(Sha256::digest(&bytes).into());
    let digest = OciDigest::from_sha256_hex(&sum.to_string()).expect("a SHA-256 has 64 digits");
    let put_under = match reference {
        OciReference::Digest(named) if *named != digest => {
            let message = format!("the digest of the manifest is {}, not {}", digest.as_str(), named.as_str());
            return Err(OciError::new(OciErrorCode::DigestInvalid, message).about(digest.as_str()));
        }
        OciReference::Digest(_) => Reference::Digest,
        OciReference::Tag(tag) => {
            let invalid =
                |error: model::names::InvalidName| OciError::new(OciErrorCode::ManifestInvalid, error.to_string());
            Reference::Tag(VersionName::parse(tag.as_str()).map_err(invalid)?)
        }
    };
    let manifest = OciManifest::parse(content_type, &bytes)?;
    manifest.check_digest(&digest)?;
    let pair = |descriptor: &OciDescriptor| (sha256(&descriptor.digest), descriptor.size_bytes);
    let entry = || {
        let entry = referrer(&manifest, &digest, bytes.len() as u64);
        serde_json::to_string(&entry).expect("texts and numbers are always JSON")
    };
    let subject = manifest.subject.as_ref().map(|subject| (subject.digest.as_str().to_owned(), entry()));
    let new = NewManifest {
        reference: put_under,
        digest: sum,
        facts: String::new(),
        blobs: manifest.blobs().map(pair).collect(),
        manifests: manifest.manifests().iter().map(pair).collect(),
        subject,
        bytes,
    };
    Ok((manifest, digest, new))
}
