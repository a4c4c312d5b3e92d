//! Access to repositories.

use database::{Read, Tx, catalogue::repos};
use model::{
    access::{Decision, GrantTarget, Right, decide_in_repo, scope_of_right},
    address::RepoAddress,
    attribute,
    id::RepoId,
    repo::{Repo, RepoWithRight},
};

use crate::{
    Caller, Result,
    access::{RepoGrants, enforce, grants::visibility},
};

/// A repository, and the caller's right in it. Operations accept a repository only in this form.
#[derive(Debug, Clone)]
pub struct RepoAccess {
    /// The repository.
    pub repo: Repo,
    /// The caller's right in it, or in the requested part of it.
    pub right: Right,
}

impl RepoAccess {
    /// Returns whether the caller sees content that only publishers see.
    pub fn is_publisher(&self) -> bool {
        self.right >= Right::Publish
    }

    /// Rejects actions that need more than this right, with the standard error text.
    pub(crate) fn check(&self, caller: &Caller, needed: Right) -> Result<()> {
        let is_known = caller.is_known_in(&self.repo.owner, &self.repo.name);
        match decide_in_repo(needed, self.right, visibility(&self.repo), is_known) {
            // The scope of a token has lowered the right.
            decision @ Decision::Denied => caller.check_scope(scope_of_right(needed)).and_then(|()| enforce(decision)),
            decision => enforce(decision),
        }
    }

    /// Filters these attribute names to those the caller may see: names that begin with `_` are for publishers.
    pub(crate) fn visible(&self, mut attribute_names: Vec<String>) -> Vec<String> {
        attribute_names.retain(|name| self.is_publisher() || !attribute::is_private(name));
        attribute_names
    }
}

/// Returns the repository at this address, for a caller who has this right in all of it.
pub(crate) async fn repo(db: &dyn Read, caller: &Caller, at: &RepoAddress, needed: Right) -> Result<RepoAccess> {
    RepoGrants::find(db, caller, at, needed).await?.enter(caller, needed, GrantTarget::default())
}

/// Does the same inside a transaction, and locks the repository until its end.
pub(crate) async fn lock_repo(tx: &mut Tx, caller: &Caller, at: &RepoAddress, needed: Right) -> Result<RepoAccess> {
    let found = repo(tx, caller, at, needed).await?;
    if repos::lock(tx, found.repo.id).await? { repo(tx, caller, at, needed).await } else { Ok(found) }
}

/// Returns the repository with this id, for a caller who may read it.
pub(crate) async fn readable_repo(db: &dyn Read, caller: &Caller, id: RepoId) -> Result<Option<RepoAccess>> {
    Ok(readable_repos(db, caller, &[id]).await?.pop())
}

/// Returns the repositories with these ids that the caller may read.
pub(crate) async fn readable_repos(db: &dyn Read, caller: &Caller, ids: &[RepoId]) -> Result<Vec<RepoAccess>> {
    let found = repos::list_by_ids(db, ids, caller.grantee_id()).await?;
    Ok(found.into_iter().filter_map(|found| readable(caller, found)).collect())
}

/// Converts a list row, for a caller who may read the whole repository.
pub(crate) fn readable(caller: &Caller, found: RepoWithRight) -> Option<RepoAccess> {
    let right = if caller.is_site_admin() { Right::Own } else { found.granted };
    let decision = decide_in_repo(Right::Read, right, visibility(&found.repo), caller.is_signed_in());
    (decision == Decision::Allowed).then_some(RepoAccess { repo: found.repo, right: caller.capped(right) })
}
