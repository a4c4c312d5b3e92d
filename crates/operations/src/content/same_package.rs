//! Rejects a package that a repository has already at another path with other content: its clients would find two
//! different files for the same name, version and architecture.
//!
//! Each such package has a row with the content that stands for it. An upload locks the row, so two uploads at once cannot
//! both pass, and finds the files with that content by an index.

use std::collections::BTreeMap;

use database::{
    Read, Tx,
    content::{
        content_facts,
        package_identities::{self, IdentityHolder},
    },
};
use model::{
    file_path::FilePath,
    id::{BlobId, PackageId},
};

use crate::{
    Error, Result,
    content::{received_file::ReceivedFile, version_target::VersionTarget},
    format::{Facts, Inspected, RepoIndexes},
};

/// The packages of an upload, by what clients know them by, each with its content.
type SentPackages = BTreeMap<String, BlobId>;

/// Rejects files that contradict each other, or others of the repository.
pub(super) async fn check(db: &dyn Read, target: &VersionTarget<'_>, received: &[ReceivedFile]) -> Result<()> {
    let sent = sent(target, received)?;
    if sent.is_empty() {
        return Ok(());
    }
    let identities: Vec<&str> = sent.keys().map(String::as_str).collect();
    let mut holders = package_identities::list_holders(db, target.repo().id, &identities).await?;
    holders.retain(|holder| sent.get(&holder.identity).is_some_and(|blob_id| *blob_id != holder.blob_id));
    check_holders(db, target, received, holders).await
}

/// Lets the files stand for their packages, in the transaction that writes them.
pub(super) async fn take(tx: &mut Tx, target: &VersionTarget<'_>, received: &[ReceivedFile]) -> Result<()> {
    let repo_id = target.repo().id;
    for (identity, blob_id) in sent(target, received)? {
        let stands = package_identities::lock(tx, repo_id, &identity, blob_id).await?;
        if stands.is_some_and(|stands| stands != blob_id) {
            let holders = package_identities::list_holders(tx, repo_id, &[&identity]).await?;
            check_holders(tx, target, received, holders).await?;
            package_identities::replace(tx, repo_id, &identity, blob_id).await?;
        }
    }
    Ok(())
}

fn sent(target: &VersionTarget<'_>, received: &[ReceivedFile]) -> Result<SentPackages> {
    let mut sent: BTreeMap<String, &ReceivedFile> = BTreeMap::new();
    let Some(indexes) = indexes(target) else { return Ok(SentPackages::new()) };
    for file in received {
        for identity in indexes.identities(&file.path, &file.inspected, target.repo()) {
            match sent.insert(identity, file) {
                Some(before) if before.blob.id != file.blob.id => return Err(exists(Some(before.path.as_str()))),
                _ => {}
            }
        }
    }
    Ok(sent.into_iter().map(|(identity, file)| (identity, file.blob.id)).collect())
}

fn indexes(target: &VersionTarget<'_>) -> Option<&'static dyn RepoIndexes> {
    target.house.format(&target.repo().kind).repo_indexes()
}

/// Rejects the upload if one of these files still is the package. It may have moved to another part of the repository,
/// and the upload may replace it.
async fn check_holders(
    db: &dyn Read,
    target: &VersionTarget<'_>,
    received: &[ReceivedFile],
    mut holders: Vec<IdentityHolder>,
) -> Result<()> {
    holders.retain(|holder| received.iter().all(|file| file.path.as_str() != holder.path));
    let (Some(indexes), false) = (indexes(target), holders.is_empty()) else { return Ok(()) };
    let mut blob_ids: Vec<BlobId> = holders.iter().map(|holder| holder.blob_id).collect();
    blob_ids.sort_unstable();
    blob_ids.dedup();
    let about = content_facts::find_all(db, &blob_ids, target.house.format(&target.repo().kind).name()).await?;
    for holder in holders {
        let Ok(path) = FilePath::stored(&holder.path) else { continue };
        let inspected = Inspected { facts: holder.facts.map(Facts), about: about.get(&holder.blob_id).cloned() };
        if indexes.identities(&path, &inspected, target.repo()).contains(&holder.identity) {
            return Err(exists(shown(target, holder.package_id).then_some(path.as_str())));
        }
    }
    Ok(())
}

/// Whether the message may name a file of this package: the caller may not see others.
fn shown(target: &VersionTarget<'_>, package_id: PackageId) -> bool {
    target.package.package.id == package_id
}

fn exists(path: Option<&str>) -> Error {
    let what = path.map_or("A file of another package".to_owned(), |path| format!("'{path}'"));
    Error::Conflict(format!("{what} is the same package with other content; delete it first, or upload to its path"))
}
