//! Repositories that a caller may do something in.

use database::{
    Read, Tx,
    catalogue::repos::{self, Repo},
};
use model::{
    access::{Decision, GrantTarget, Right, decide_in_repo},
    address::RepoAddress,
    attribute,
};

use crate::{
    Caller, Result,
    access::{RepoGrants, enforce, grants::visibility},
};

/// A repository, and the right in it that the caller was found to have. Nothing else names a repository to operations.
#[derive(Debug, Clone)]
pub struct RepoAccess {
    /// The repository.
    pub repo: Repo,
    /// What the caller may do in it, or in the part of it that was asked about.
    pub right: Right,
}

impl RepoAccess {
    /// Whether the caller sees what only publishers see.
    pub fn is_publisher(&self) -> bool {
        self.right >= Right::Publish
    }

    /// Refuses what takes more than the right that was found, in the words of the house.
    pub(crate) fn check(&self, caller: &Caller, needed: Right) -> Result<()> {
        enforce(decide_in_repo(needed, self.right, visibility(&self.repo), caller.is_signed_in()))
    }

    /// Those of these names of attributes that the caller may see: names that begin with `_` are for publishers.
    pub(crate) fn visible(&self, mut attribute_names: Vec<String>) -> Vec<String> {
        attribute_names.retain(|name| self.is_publisher() || !attribute::is_private(name));
        attribute_names
    }
}

/// The repository at this address, for a caller who may do this in all of it.
pub(crate) async fn repo(db: &impl Read, caller: &Caller, at: &RepoAddress, needed: Right) -> Result<RepoAccess> {
    RepoGrants::find(db, caller, at, needed).await?.enter(caller, needed, GrantTarget::default())
}

/// The same inside a transaction, with the repository held until its end.
pub(crate) async fn hold_repo(tx: &mut Tx, caller: &Caller, at: &RepoAddress, needed: Right) -> Result<RepoAccess> {
    let found = repo(tx, caller, at, needed).await?;
    if repos::hold(tx, found.repo.id).await? { repo(tx, caller, at, needed).await } else { Ok(found) }
}

/// The repository of this key, for a caller who may read it.
pub(crate) async fn readable_repo(db: &impl Read, caller: &Caller, id: i64) -> Result<Option<RepoAccess>> {
    Ok(readable_repos(db, caller, &[id]).await?.pop())
}

/// Those repositories of these keys that the caller may read.
pub(crate) async fn readable_repos(db: &impl Read, caller: &Caller, ids: &[i64]) -> Result<Vec<RepoAccess>> {
    let found = repos::list_by_ids(db, ids, caller.grantee_id()).await?;
    Ok(found.into_iter().filter_map(|found| readable(caller, found)).collect())
}

/// What was found in a list, for a caller who may read all of it.
pub(crate) fn readable(caller: &Caller, found: repos::RepoWithRight) -> Option<RepoAccess> {
    let right = if caller.is_site_admin() { Right::Own } else { found.granted };
    let decision = decide_in_repo(Right::Read, right, visibility(&found.repo), caller.is_signed_in());
    (decision == Decision::Allowed).then_some(RepoAccess { repo: found.repo, right })
}
