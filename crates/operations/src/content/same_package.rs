//! Rejects a package that a version has already at another path with other content: clients of the repository would find
//! two different files for the same name, version and architecture.

use std::collections::BTreeMap;

use database::{
    Read,
    content::{content_facts, files},
};
use model::{file::FileContent, file_path::FilePath, id::BlobId};

use crate::{
    Error, Result,
    content::{received_file::ReceivedFile, signature_place::newest, version_target::VersionTarget},
    format::{Facts, Inspected},
};

/// The maximum number of files of a version that an upload is compared with.
const FILES: i64 = 1_000;

/// Rejects files that contradict each other, or others of the version.
pub(super) async fn check(db: &dyn Read, target: &VersionTarget<'_>, received: &[ReceivedFile]) -> Result<()> {
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
    let others = files::list(db, target.version.id, FILES).await?;
    let contents: Vec<(&FilePath, &FileContent)> = others
        .iter()
        .filter(|file| received.iter().all(|received| received.path != file.path))
        .filter_map(|file| Some((&file.path, newest(file)?)))
        .collect();
    let blob_ids: Vec<BlobId> = contents.iter().map(|(_, content)| content.blob_id).collect();
    let about = content_facts::find_all(db, &blob_ids, format.name()).await?;
    for (path, content) in contents {
        let Some(about) = about.get(&content.blob_id).cloned() else { continue };
        let inspected = Inspected { facts: content.facts.clone().map(Facts), about: Some(about) };
        for identity in indexes.identities(path, &inspected, repo) {
            if sent.get(&identity).is_some_and(|received| received.blob.id != content.blob_id) {
                return Err(exists(path));
            }
        }
    }
    Ok(())
}

fn exists(path: &FilePath) -> Error {
    Error::Conflict(format!("'{path}' is the same package with other content; delete it first, or upload to its path"))
}
