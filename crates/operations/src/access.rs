//! From a caller and an account to a decision of the permission table.

use database::{
    Read, Tx, links, members,
    packages::{self, Package},
    repos::{self, Reader, Repo},
    subjects::{self, Kind, Subject},
};
use model::{
    access::{Action, Decision, Right, Standing, Visibility, decide, decide_in_repo},
    address::{PackageAddress, RepoAddress},
    attribute,
    names::SubjectName,
    role::Role,
};

use crate::{Caller, Error, Identity, Result};

/// Refuses callers who may not do this to the site as a whole.
pub(crate) fn check_site(caller: &Caller, action: Action) -> Result<()> {
    let standing = match &caller.identity {
        _ if caller.is_console() => Standing::SiteAdmin,
        None => Standing::Anonymous,
        Some(identity) if identity.is_site_admin => Standing::SiteAdmin,
        Some(_) => Standing::Stranger,
    };
    enforce(decide(action, standing))
}

/// The account of this name, for a caller who may do this to it.
pub(crate) async fn account(
    db: &impl Read,
    caller: &Caller,
    kind: Kind,
    name: &SubjectName,
    action: Action,
) -> Result<Subject> {
    // Credentials come first, so that strangers cannot ask which names exist.
    if caller.identity.is_none() && !caller.is_console() {
        return enforce(Decision::SignIn).and(Err(not_found(kind, name)));
    }
    let subject = subjects::find(db, name).await?.filter(|subject| subject.kind == kind);
    let subject = subject.ok_or_else(|| not_found(kind, name))?;
    enforce(decide(action, standing(db, caller, &subject).await?))?;
    Ok(subject)
}

/// The account as it is now, held until the transaction ends; it may have gone since it was found.
pub(crate) async fn hold(tx: &mut Tx, subject: &Subject) -> Result<Subject> {
    subjects::hold(tx, subject.id).await?.ok_or_else(|| not_found(subject.kind, &subject.name))
}

/// What the caller is to this account.
pub(crate) async fn standing(db: &impl Read, caller: &Caller, subject: &Subject) -> Result<Standing> {
    Ok(match &caller.identity {
        _ if caller.is_console() => Standing::SiteAdmin,
        None => Standing::Anonymous,
        Some(identity) if identity.is_site_admin => Standing::SiteAdmin,
        Some(identity) if identity.id == subject.id => Standing::Oneself,
        Some(identity) => match members::find(db, subject.id, identity.id).await? {
            Some(role) => Standing::Member(role),
            None => Standing::Stranger,
        },
    })
}

/// The signed-in user, or the refusal that asks for credentials.
pub(crate) fn identity(caller: &Caller) -> Result<&Identity> {
    caller.identity.as_ref().ok_or(Error::Unauthenticated(SIGN_IN))
}

/// A repository, and the right in it that the caller was found to have. Nothing else names a repository to operations.
#[derive(Debug, Clone)]
pub struct RepoAccess {
    /// The repository.
    pub repo: Repo,
    /// What the caller may do in it.
    pub right: Right,
}

impl RepoAccess {
    /// Whether the caller sees what only publishers see.
    pub fn is_publisher(&self) -> bool {
        self.right >= Right::Publish
    }

    /// Those of these names of attributes that the caller may see: names that begin with `_` are for publishers.
    pub(crate) fn visible(&self, mut attribute_names: Vec<String>) -> Vec<String> {
        attribute_names.retain(|name| self.is_publisher() || !attribute::is_private(name));
        attribute_names
    }
}

/// The repository at this address, for a caller who may do this in it. Hidden is not found, in the same words.
pub(crate) async fn repo(db: &impl Read, caller: &Caller, at: &RepoAddress, needed: Right) -> Result<RepoAccess> {
    if needed > Right::Read {
        identity(caller)?;
    }
    let not_found = || Error::NotFound { what: "Repository", name: at.repo.to_string() };
    let caller_id = caller.identity.as_ref().map(|identity| identity.id);
    let found = repos::find(db, &at.owner, &at.repo, caller_id).await?.ok_or_else(not_found)?;
    let granted = granted(caller, &found);
    let visibility = if found.repo.profile.is_private { Visibility::Private } else { Visibility::Public };
    match decide_in_repo(needed, granted, visibility, caller.identity.is_some()) {
        Decision::Hidden => Err(not_found()),
        decision => enforce(decision).map(|()| RepoAccess { repo: found.repo, right: granted }),
    }
}

/// The same inside a transaction, with the repository held until its end.
pub(crate) async fn hold_repo(tx: &mut Tx, caller: &Caller, at: &RepoAddress, needed: Right) -> Result<RepoAccess> {
    let id = repo(tx, caller, at, needed).await?.repo.id;
    repos::hold(tx, id).await?;
    // Read again: what it was before it was held may have changed.
    repo(tx, caller, at, needed).await
}

/// A package, and the repository it is in.
#[derive(Debug, Clone)]
pub struct PackageAccess {
    /// The repository, and what the caller may do in it.
    pub repo: RepoAccess,
    /// The package.
    pub package: Package,
}

/// The package at this address, for a caller who may do this in its repository.
pub(crate) async fn package(
    db: &impl Read,
    caller: &Caller,
    at: &PackageAddress,
    needed: Right,
) -> Result<PackageAccess> {
    let repo = repo(db, caller, &at.repo, needed).await?;
    match packages::find(db, repo.repo.id, &at.package).await? {
        Some(package) => Ok(PackageAccess { repo, package }),
        None => linked_package(db, caller, &repo, at, needed).await,
    }
}

/// A package that the repository shows and another one owns, as it is there. Here it can only be read.
async fn linked_package(
    db: &impl Read,
    caller: &Caller,
    showing: &RepoAccess,
    at: &PackageAddress,
    needed: Right,
) -> Result<PackageAccess> {
    let not_found = || Error::NotFound { what: "Package", name: at.package.to_string() };
    let source = links::find_source(db, showing.repo.id, &at.package).await?.ok_or_else(not_found)?;
    let source = PackageAddress { repo: source, package: at.package.clone() };
    let access = own_package(db, caller, &source, Right::Read).await;
    // Whoever may not read where it comes from may not know that it is shown here.
    let access = access.map_err(|error| if matches!(error, Error::NotFound { .. }) { not_found() } else { error })?;
    if needed > Right::Read {
        let reason = format!("Package '{}' is linked from '{}' and can be changed only there", at.package, source.repo);
        return Err(Error::Denied(reason));
    }
    Ok(access)
}

/// The package at this address, when it is the repository's own.
pub(crate) async fn own_package(
    db: &impl Read,
    caller: &Caller,
    at: &PackageAddress,
    needed: Right,
) -> Result<PackageAccess> {
    let repo = repo(db, caller, &at.repo, needed).await?;
    let not_found = || Error::NotFound { what: "Package", name: at.package.to_string() };
    let package = packages::find(db, repo.repo.id, &at.package).await?.ok_or_else(not_found)?;
    Ok(PackageAccess { repo, package })
}

/// The same inside a transaction, with the package held until its end.
pub(crate) async fn hold_package(
    tx: &mut Tx,
    caller: &Caller,
    at: &PackageAddress,
    needed: Right,
) -> Result<PackageAccess> {
    let id = package(tx, caller, at, needed).await?.package.id;
    packages::hold(tx, id).await?;
    package(tx, caller, at, needed).await
}

/// The repository of this key, for a caller who may read it.
pub(crate) async fn readable_repo(db: &impl Read, caller: &Caller, id: i64) -> Result<Option<RepoAccess>> {
    Ok(readable_repos(db, caller, &[id]).await?.pop())
}

/// Those repositories of these keys that the caller may read.
pub(crate) async fn readable_repos(db: &impl Read, caller: &Caller, ids: &[i64]) -> Result<Vec<RepoAccess>> {
    let caller_id = caller.identity.as_ref().map(|identity| identity.id);
    let found = repos::list_by_ids(db, ids, caller_id).await?;
    Ok(found.into_iter().filter_map(|found| readable(caller, found)).collect())
}

/// What was found in a list, for a caller who may read it.
pub(crate) fn readable(caller: &Caller, found: repos::Found) -> Option<RepoAccess> {
    let right = granted(caller, &found);
    let visibility = if found.repo.profile.is_private { Visibility::Private } else { Visibility::Public };
    let decision = decide_in_repo(Right::Read, right, visibility, caller.identity.is_some());
    (decision == Decision::Allowed).then_some(RepoAccess { repo: found.repo, right })
}

/// The repository's user and those who run its organisation own it; so do site administrators.
fn granted(caller: &Caller, found: &repos::Found) -> Right {
    match &caller.identity {
        Some(identity) if identity.is_site_admin || identity.id == found.repo.owner_id => Right::Own,
        Some(_) if matches!(found.role, Some(Role::Admin | Role::Owner)) => Right::Own,
        _ => Right::None,
    }
}

/// Who looks at a list that holds private things.
pub(crate) fn reader(caller: &Caller) -> Reader {
    let identity = caller.identity.as_ref();
    Reader { id: identity.map(|user| user.id), sees_everything: identity.is_some_and(|user| user.is_site_admin) }
}

/// The refusal that asks for credentials.
pub(crate) fn sign_in() -> Error {
    Error::Unauthenticated(SIGN_IN)
}

const SIGN_IN: &str = "This resource requires authentication";

pub(crate) fn enforce(decision: Decision) -> Result<()> {
    match decision {
        Decision::Allowed => Ok(()),
        Decision::SignIn => Err(Error::Unauthenticated(SIGN_IN)),
        Decision::Denied | Decision::Hidden => Err(Error::Denied("You may not do this".into())),
    }
}

pub(crate) fn not_found(kind: Kind, name: &SubjectName) -> Error {
    let what = match kind {
        Kind::User => "User",
        Kind::Org => "Organization",
    };
    Error::NotFound { what, name: name.to_string() }
}
