//! How far a caller reaches in a repository: all of it, or the parts that a key was given.

use database::{Read, access::grants, catalogue::repos};
use model::{
    access::{Decision, Grant, GrantScope, GrantTarget, Right, Visibility, decide_in_repo, right_in},
    address::RepoAddress,
};

use crate::{Caller, Error, RepoAccess, Result, access::enforce};

/// A repository, and what the caller may do in it. It tells nothing before a place is named.
#[derive(Debug)]
pub(crate) struct RepoGrants {
    at: RepoAddress,
    found: repos::RepoWithRight,
    parts: Vec<Grant>,
    /// Whether it is the one that was asked for. Else it stands in for one that does not exist, and takes as many steps.
    is_there: bool,
}

impl RepoGrants {
    /// Looks at a repository for a caller who wants to do this somewhere in it.
    pub(crate) async fn find(db: &impl Read, caller: &Caller, at: &RepoAddress, needed: Right) -> Result<Self> {
        if needed > Right::Read {
            caller.check_signed_in()?;
        }
        let found = repos::find_alike(db, &at.owner, &at.repo, caller.grantee_id()).await?;
        let (found, is_there) = found.ok_or_else(|| not_found(at))?;
        Self::look(db, caller, at.clone(), found, is_there).await
    }

    async fn look(
        db: &impl Read,
        caller: &Caller,
        at: RepoAddress,
        mut found: repos::RepoWithRight,
        is_there: bool,
    ) -> Result<Self> {
        if caller.is_site_admin() {
            found.granted = Right::Own;
        }
        // Only keys are given parts. One that may read the whole may still publish in a part of it.
        let mut parts = match caller.key().filter(|_| found.granted < Right::Publish) {
            Some(key) => grants::list_of_key(db, found.repo.id, key.id).await?,
            None => Vec::new(),
        };
        if !is_there {
            (found.granted, parts) = (Right::None, Vec::new());
        }
        Ok(Self { at, found, parts, is_there })
    }

    /// Whether what the caller may do depends on the place.
    pub(crate) fn has_parts(&self) -> bool {
        !self.parts.is_empty()
    }

    /// The key of the repository.
    pub(crate) fn repo_id(&self) -> i64 {
        self.found.repo.id
    }

    /// The parts that were given.
    pub(crate) fn parts(&self) -> impl Iterator<Item = &GrantScope> {
        self.parts.iter().map(|grant| &grant.part)
    }

    /// The repository, for a caller who has a part of it and wants to read what goes with that.
    pub(crate) fn enter_part(&self, caller: &Caller, needed: Right) -> Result<RepoAccess> {
        let granted = if self.has_parts() { Right::Read } else { Right::None };
        self.decide(caller, needed, granted.max(self.found.granted))
    }

    /// The repository, for a caller who may do this in this place.
    pub(crate) fn enter(&self, caller: &Caller, needed: Right, place: GrantTarget<'_>) -> Result<RepoAccess> {
        self.decide(caller, needed, right_in(self.found.granted, &self.parts, place))
    }

    fn decide(&self, caller: &Caller, needed: Right, right: Right) -> Result<RepoAccess> {
        let repo = &self.found.repo;
        let decision = decide_in_repo(needed, right, visibility(repo), caller.is_signed_in());
        match if self.is_there { decision } else { Decision::Hidden } {
            Decision::Hidden => Err(not_found(&self.at)),
            decision => enforce(decision).map(|()| RepoAccess { repo: repo.clone(), right }),
        }
    }
}

/// Whether everyone may read it.
pub(super) fn visibility(repo: &repos::Repo) -> Visibility {
    if repo.profile.is_private { Visibility::Private } else { Visibility::Public }
}

/// Hidden is not found, in the same words.
fn not_found(at: &RepoAddress) -> Error {
    Error::NotFound { what: "Repository", name: at.repo.to_string() }
}
