//! Tombstones of permanently published content: a path whose upload window has closed keeps its bytes forever, even
//! after a deletion.
//!
//! Downloads write nothing, so it is unknown which responses were actually sent. Every response that could have been
//! marked immutable counts: when a file, version, package, repository or account is deleted, each published path whose
//! window has closed gets a tombstone in the same transaction.

use database::{
    Read, Tx,
    catalogue::repos,
    content::tombstones::{self, BoundContent, Closed, TombstoneScope},
};
use model::{digest::Digest, file_path::FilePath, id::SubjectId, repo::Repo, timestamp::Timestamp};

use crate::{Error, House, Result, catalogue::window};

/// Rejects content that differs from the tombstone of its path in the repository.
pub(crate) async fn check(db: &dyn Read, house: &House, repo: &Repo, path: &FilePath, sha256: Digest) -> Result<()> {
    let bound = tombstones::find(db, &repo.owner, &repo.name, path).await?;
    let is_bound = |bound: &BoundContent| match &bound.kind {
        Some(kind) => window::may_be_final(house, kind, path),
        None => true,
    };
    match bound.into_iter().find(|bound| bound.sha256 != sha256 && is_bound(bound)) {
        Some(BoundContent { sha256: only, .. }) => Err(Error::Conflict(format!(
            "The path '{path}' was published for good and takes only the content with the SHA-256 {only}; \
             upload that content, or use another path"
        ))),
        None => Ok(()),
    }
}

/// Adds tombstones for the closed part of a scope that is about to be deleted.
pub(crate) async fn add(tx: &mut Tx, house: &House, repo: &Repo, scope: TombstoneScope, now: Timestamp) -> Result<()> {
    let before = window::closed_before(house, repo, now);
    let mut after = String::new();
    loop {
        let mut closed = tombstones::list_closed(tx, scope, before, &after).await?;
        let Some(last) = closed.last() else { return Ok(()) };
        after.clone_from(&last.path);
        closed.retain(|file| is_bound(house, &repo.kind, file));
        tombstones::insert(tx, (&repo.owner.folded(), &repo.name.folded()), &closed, now).await?;
    }
}

/// Does the same for everything that a subject owns.
pub(crate) async fn add_of_owner(tx: &mut Tx, house: &House, owner_id: SubjectId, now: Timestamp) -> Result<()> {
    for repo in repos::list_of_owner(tx, owner_id).await? {
        add(tx, house, &repo, TombstoneScope::Repo(repo.id), now).await?;
    }
    Ok(())
}

/// Adds a tombstone for one published file of a closed version.
pub(crate) async fn add_file(
    tx: &mut Tx,
    house: &House,
    repo: &Repo,
    path: &FilePath,
    sha256: Digest,
    now: Timestamp,
) -> Result<()> {
    let closed = Closed { path: path.to_string(), sha256: sha256.to_string() };
    let closed = if is_bound(house, &repo.kind, &closed) { vec![closed] } else { Vec::new() };
    Ok(tombstones::insert(tx, (&repo.owner.folded(), &repo.name.folded()), &closed, now).await?)
}

/// Returns whether a published file of a closed version of a repository of this type keeps its content for ever.
pub(crate) fn is_bound(house: &House, kind: &str, file: &Closed) -> bool {
    FilePath::stored(&file.path).is_ok_and(|path| window::may_be_final(house, kind, &path))
}
