//! Names that files take for their repository, and that are never free again once they were published.

use database::{
    Tx,
    content::{blobs, files, spent_names},
};
use model::{digest::Digest, file::File, file_path::FilePath};

use crate::{
    Error, Result,
    content::version_target::VersionTarget,
    format::{Format, TakenName},
};

/// Takes the names of a file, in the transaction that writes it. A version that publishes takes them over from a version
/// of the same holder that was never published, because that one frees its names when it goes away.
pub(super) async fn take(
    tx: &mut Tx,
    target: &VersionTarget<'_>,
    path: &FilePath,
    sha256: Digest,
    is_published: bool,
) -> Result<()> {
    let (repo_id, version_id) = (target.repo().id, target.version.id);
    for name in format(target).taken_names(path, sha256) {
        if spent_names::take(tx, repo_id, &name.key, &name.holder, version_id).await? {
            continue;
        }
        let Some(taken) = spent_names::find(tx, repo_id, &name.key).await? else {
            return Err(Error::Unavailable(format!("the name '{}' is being freed", name.key)));
        };
        if taken.holder != name.holder {
            return Err(is_taken(&name, &format!("by '{}'", taken.holder)));
        }
        if !taken.has_version && !name.is_lasting {
            return Err(is_taken(&name, "by a version that was deleted"));
        }
        if is_published && taken.version_id != version_id && taken.has_version && !taken.is_published {
            spent_names::hand_over(tx, repo_id, &name.key, version_id).await?;
        }
    }
    Ok(())
}

fn is_taken(name: &TakenName, by: &str) -> Error {
    Error::Conflict(format!("The name '{}' was taken {by}; names are never reused, so choose another one", name.key))
}

fn format(target: &VersionTarget<'_>) -> &'static dyn Format {
    target.house.format(&target.repo().kind)
}

/// Takes the names of staged files again when they are published.
pub(super) async fn take_staged(tx: &mut Tx, target: &VersionTarget<'_>, staged: &[File]) -> Result<()> {
    for file in staged.iter().filter(|file| has_taken_names(target, &file.path)) {
        let Some(content) = &file.staged else { continue };
        let Some(blob) = blobs::find(tx, content.blob_id).await? else { continue };
        take(tx, target, &file.path, blob.sha256, true).await?;
    }
    Ok(())
}

/// Whether files at this path take names, whatever their content is.
fn has_taken_names(target: &VersionTarget<'_>, path: &FilePath) -> bool {
    !format(target).taken_names(path, Digest::from_bytes([0; 32])).is_empty()
}

/// Frees the names of a file that is about to go away or to change, if its version was never published. Names that other
/// files of the version have too stay taken.
pub(super) async fn free_file(tx: &mut Tx, target: &VersionTarget<'_>, gone: &File) -> Result<()> {
    if target.version.first_published.is_some() || !has_taken_names(target, &gone.path) {
        return Ok(());
    }
    let (mut freed, mut kept) = (Vec::new(), Vec::new());
    for file in files::lock_staged(tx, target.version.id).await? {
        let Some(content) = &file.staged else { continue };
        let Some(blob) = blobs::find(tx, content.blob_id).await? else { continue };
        let taken_names = format(target).taken_names(&file.path, blob.sha256).into_iter().map(|name| name.key);
        if file.id == gone.id { freed.extend(taken_names) } else { kept.extend(taken_names) }
    }
    for name in freed.iter().filter(|name| !kept.contains(name)) {
        spent_names::free_name(tx, target.repo().id, name, target.version.id).await?;
    }
    Ok(())
}

/// Frees all names of a version that was never published.
pub(super) async fn free_version(tx: &mut Tx, target: &VersionTarget<'_>) -> Result<()> {
    if target.version.first_published.is_none() {
        spent_names::free(tx, target.version.id).await?;
    }
    Ok(())
}
