//! A document with a tarball, as files to publish.

use model::names::{PackageName, VersionName};
use operations::format::{NativeFile, NativeProfile, NativePublish, Sent, SentFile};
use serde_json::{Map, Value};

use super::{
    document::{Attachment, NpmDocument},
    indexes::integrity_of,
};
use crate::profile;

/// Checks the document and the tarball that came with it.
pub(super) fn publish_of(package: PackageName, document: &NpmDocument, sent: &Sent) -> Result<NativePublish, String> {
    let attachments = sent.files.iter().map(attachment).collect::<Result<Vec<_>, _>>()?;
    let publish = document.publish(&attachments)?;
    let metadata = serde_json::to_vec(&publish.manifest).map_err(|error| error.to_string())?;
    Ok(NativePublish {
        package,
        version: VersionName::parse(&publish.version.to_string()).map_err(|error| error.to_string())?,
        files: vec![NativeFile { part: publish.tarball, path: publish.path, metadata: Some(metadata) }],
        profile: profile_of(&publish.manifest),
        tags: publish.tags,
    })
}

fn attachment(file: &SentFile) -> Result<Attachment, String> {
    let integrity = file.sha512.as_deref().and_then(integrity_of).ok_or("the tarball has no SHA-512")?;
    Ok(Attachment { name: file.field.clone(), size_bytes: file.size_bytes, shasum: file.sha1.clone(), integrity })
}

fn profile_of(manifest: &Map<String, Value>) -> NativeProfile {
    let text = |key: &str| manifest.get(key).and_then(Value::as_str).map(str::to_owned);
    // Some values are an object with a URL, or the URL alone.
    let url = |key: &str| {
        let value = manifest.get(key)?;
        value.get("url").unwrap_or(value).as_str().map(str::to_owned)
    };
    let keywords = manifest.get("keywords").and_then(Value::as_array).into_iter().flatten();
    profile::cleaned(NativeProfile {
        description: text("description"),
        licenses: text("license").as_deref().map(profile::licenses).unwrap_or_default(),
        website: text("homepage"),
        vcs: url("repository"),
        issue_tracker: url("bugs"),
        labels: keywords.filter_map(Value::as_str).map(str::to_owned).collect(),
    })
}
