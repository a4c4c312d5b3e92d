//! The caller's grants in a repository: all of it, or the scopes granted to a key.

use database::{Read, access::grants, catalogue::repos};
use model::{
    access::{Decision, Grant, GrantScope, GrantTarget, Right, Visibility, decide_in_repo, right_in, scope_of_right},
    address::RepoAddress,
    id::RepoId,
    repo::{Repo, RepoWithRight},
};

use crate::{Caller, Error, RepoAccess, Result, access::enforce};

/// A repository, and the caller's grants in it. It reveals nothing until a target is named.
#[derive(Debug)]
pub(crate) struct RepoGrants {
    at: RepoAddress,
    found: RepoWithRight,
    parts: Vec<Grant>,
    /// Whether this is the requested repository. If not, it replaces one that does not exist, and takes the same steps.
    is_there: bool,
}

impl RepoGrants {
    /// Looks up a repository for a caller who needs this right somewhere in it.
    pub(crate) async fn find(db: &dyn Read, caller: &Caller, at: &RepoAddress, needed: Right) -> Result<Self> {
        if needed > Right::Read {
            caller.check_known_in(&at.owner, &at.repo)?;
        }
        let found = repos::find_alike(db, &at.owner, &at.repo, caller.grantee_id()).await?;
        let (found, is_there) = found.ok_or_else(|| not_found(at))?;
        Self::look(db, caller, at.clone(), found, is_there).await
    }

    async fn look(
        db: &dyn Read,
        caller: &Caller,
        at: RepoAddress,
        mut found: RepoWithRight,
        is_there: bool,
    ) -> Result<Self> {
        if caller.is_site_admin() {
            found.granted = Right::Own;
        }
        // Only keys and tokens have grants in parts. A key that may read the whole repository may still publish in a
        // part of it.
        let mut parts = match caller.part_grantee_id().filter(|_| found.granted < Right::Publish) {
            Some(grantee_id) => grants::list(db, found.repo.id, grantee_id).await?,
            None => Vec::new(),
        };
        if !is_there {
            (found.granted, parts) = (Right::None, Vec::new());
        }
        Ok(Self { at, found, parts, is_there })
    }

    /// Returns whether the caller's right depends on the target.
    pub(crate) fn has_parts(&self) -> bool {
        !self.parts.is_empty()
    }

    /// The id of the repository.
    pub(crate) fn repo_id(&self) -> RepoId {
        self.found.repo.id
    }

    /// The type of the repository.
    pub(crate) fn repo_kind(&self) -> &str {
        &self.found.repo.kind
    }

    /// The scopes of the caller's grants.
    pub(crate) fn parts(&self) -> impl Iterator<Item = &GrantScope> {
        self.parts.iter().map(|grant| &grant.part)
    }

    /// Returns the repository, for a caller who has a grant in a part of it and wants to read related content.
    pub(crate) fn enter_part(&self, caller: &Caller, needed: Right) -> Result<RepoAccess> {
        let granted = if self.has_parts() { Right::Read } else { Right::None };
        self.decide(caller, needed, granted.max(self.found.granted))
    }

    /// Returns the repository, for a caller who has this right at this target.
    pub(crate) fn enter(&self, caller: &Caller, needed: Right, place: GrantTarget<'_>) -> Result<RepoAccess> {
        self.decide(caller, needed, right_in(self.found.granted, &self.parts, place))
    }

    /// Returns the repository, for a caller who has this right in it or in any part of it.
    pub(crate) fn enter_any(&self, caller: &Caller, needed: Right) -> Result<RepoAccess> {
        let granted = self.parts.iter().map(|grant| grant.right).fold(self.found.granted, Right::max);
        self.decide(caller, needed, granted)
    }

    fn decide(&self, caller: &Caller, needed: Right, right: Right) -> Result<RepoAccess> {
        let repo = &self.found.repo;
        let is_known = caller.is_known_in(&self.at.owner, &self.at.repo);
        let decision = decide_in_repo(needed, right, visibility(repo), is_known);
        match if self.is_there { decision } else { Decision::Hidden } {
            Decision::Hidden => return Err(not_found(&self.at)),
            decision => {
                // The right of a token for some resources is already lowered to its scope.
                if decision == Decision::Denied && caller.part_grantee_id().is_some() {
                    caller.check_scope(scope_of_right(needed))?;
                }
                enforce(decision)?;
            }
        }
        // The owner of a token may do it; whether the token may is not told about what is hidden.
        if is_known {
            caller.check_scope(scope_of_right(needed))?;
        }
        Ok(RepoAccess { repo: repo.clone(), right: caller.capped(right) })
    }
}

/// Returns whether the repository is public or private.
pub(super) fn visibility(repo: &Repo) -> Visibility {
    if repo.profile.is_private { Visibility::Private } else { Visibility::Public }
}

/// Returns the error for hidden and for missing repositories: both have the same text.
fn not_found(at: &RepoAddress) -> Error {
    Error::NotFound { what: "Repository", name: at.repo.to_string() }
}
