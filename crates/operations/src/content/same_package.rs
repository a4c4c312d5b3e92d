//! Rejects a package that a version has already at another path with other content: clients of the repository would find
//! two different files for the same name, version and architecture.

use std::collections::BTreeMap;

use database::{
    Read,
    content::{content_facts, files},
};
use model::{file::File, file_path::FilePath, id::BlobId};

use crate::{
    Error, Result,
    content::{received_file::ReceivedFile, signature_place::newest, version_target::VersionTarget},
    format::{Facts, Inspected},
};

/// The maximum number of files of a version that an upload is compared with.
const FILES: i64 = 1_000;

/// Rejects files that contradict each other, or others of the version.
pub(super) async fn check(db: &impl Read, target: &VersionTarget<'_>, received: &[ReceivedFile]) -> Result<()> {
    let (repo, format) = (target.repo(), target.house.format(&target.repo().kind));
    let Some(indexes) = format.repo_indexes() else { return Ok(()) };
    let mut sent: BTreeMap<String, &ReceivedFile> = BTreeMap::new();
    for file in received {
        for identity in indexes.identities(&file.path, &file.inspected, repo) {
            match sent.insert(identity, file) {
                Some(before) if before.blob.id != file.blob.id => return Err(exists(&before.path)),
                _ => {}
            }
        }
    }
    if sent.is_empty() {
        return Ok(());
    }
    for file in files::list(db, target.version.id, FILES).await? {
        let is_sent = received.iter().any(|received| received.path == file.path);
        let Some((blob_id, content)) = content(db, format.name(), &file).await?.filter(|_| !is_sent) else { continue };
        for identity in indexes.identities(&file.path, &content, repo) {
            if sent.get(&identity).is_some_and(|received| received.blob.id != blob_id) {
                return Err(exists(&file.path));
            }
        }
    }
    Ok(())
}

/// The newest content of a file, with what the format has found in it.
async fn content(db: &impl Read, format: &str, file: &File) -> Result<Option<(BlobId, Inspected)>> {
    let Some(content) = newest(file) else { return Ok(None) };
    let Some(about) = content_facts::find(db, content.blob_id, format).await? else { return Ok(None) };
    let inspected = Inspected { facts: content.facts.clone().map(Facts), about: Some(about) };
    Ok(Some((content.blob_id, inspected)))
}

fn exists(path: &FilePath) -> Error {
    Error::Conflict(format!("'{path}' is the same package with other content; delete it first, or upload to its path"))
}
