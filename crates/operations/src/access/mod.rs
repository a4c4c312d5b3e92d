//! Applies the policy to a caller and the target of a request.

pub(crate) mod admission;
mod cache;
pub(crate) mod files;
mod grants;
mod packages;
mod repos;

pub mod access_keys;
pub mod agreements;
pub mod audit_log;
pub mod entitlements;
pub mod eulas;
pub mod key_tokens;
pub mod permissions;
pub mod products;
pub mod restrictions;
pub mod teams;

pub use packages::PackageAccess;
pub use repos::RepoAccess;

pub(crate) use crate::access::{cache::PackageAccessCache, grants::RepoGrants};
pub(crate) use files::{file, folder, readable_path, scopes};
pub(crate) use packages::{PackageScope, lock_package, own_package, package};
pub(crate) use repos::{lock_repo, readable, readable_repo, readable_repos, repo};

use database::{
    Read, Tx,
    accounts::{members, subjects},
};
use model::{
    access::{AccountRelation, Action, Decision, Scope, Viewer, decide, scope_of_action},
    names::SubjectName,
    plan::Plan,
    role::Role,
    subject::{Subject, SubjectKind},
};

use crate::{Caller, Error, Principal, Result, UserIdentity};

/// Rejects callers who may not do this to the whole site.
pub(crate) fn check_site(caller: &Caller, action: Action) -> Result<()> {
    let standing = match &caller.principal {
        Principal::Operator => AccountRelation::SiteAdmin,
        Principal::User(_) if caller.check_unlimited().is_err() => AccountRelation::Anonymous,
        Principal::User(user) if user.is_site_admin => AccountRelation::SiteAdmin,
        Principal::Anonymous => AccountRelation::Anonymous,
        Principal::Key(_) => AccountRelation::KeyHolder,
        Principal::User(_) => AccountRelation::Stranger,
    };
    enforce(decide(action, standing))?;
    caller.check_scope(scope_of_action(action))
}

/// Returns the account with this name, for a caller who may do this to it.
pub(crate) async fn account(
    db: &dyn Read,
    caller: &Caller,
    kind: SubjectKind,
    name: &SubjectName,
    action: Action,
) -> Result<Subject> {
    // Credentials are checked first, so that anonymous callers cannot find out which names exist.
    if matches!(caller.principal, Principal::Anonymous) || !caller.is_known_to(name) {
        return enforce(Decision::SignIn).and(Err(not_found(kind, name)));
    }
    let subject = subjects::find(db, name).await?.filter(|subject| subject.kind == kind);
    let subject = subject.ok_or_else(|| not_found(kind, name))?;
    check_account(db, caller, &subject, action).await?;
    Ok(subject)
}

/// Rejects callers who may not do this to an account.
pub(crate) async fn check_account(db: &dyn Read, caller: &Caller, subject: &Subject, action: Action) -> Result<()> {
    enforce(decide(action, standing(db, caller, subject).await?))?;
    caller.check_scope(scope_of_action(action))
}

/// Returns the current account and locks it until the transaction ends; it may have been deleted since it was found.
pub(crate) async fn lock(tx: &mut Tx, subject: &Subject) -> Result<Subject> {
    subjects::lock(tx, subject.id).await?.ok_or_else(|| not_found(subject.kind, &subject.name))
}

/// Returns the caller's relation to this account.
pub(crate) async fn standing(db: &dyn Read, caller: &Caller, subject: &Subject) -> Result<AccountRelation> {
    match &caller.principal {
        Principal::Operator => Ok(AccountRelation::SiteAdmin),
        Principal::User(user) if user.is_site_admin && caller.is_known_to(&subject.name) => {
            Ok(AccountRelation::SiteAdmin)
        }
        _ => own_standing(db, caller, subject).await,
    }
}

/// Returns the caller's relation to this account, without what a site administrator may do to every account.
pub(crate) async fn own_standing(db: &dyn Read, caller: &Caller, subject: &Subject) -> Result<AccountRelation> {
    Ok(match &caller.principal {
        Principal::User(_) if !caller.is_known_to(&subject.name) => AccountRelation::Anonymous,
        Principal::Anonymous | Principal::Operator => AccountRelation::Anonymous,
        Principal::Key(_) => AccountRelation::KeyHolder,
        // An organization acts with the rights of its owners.
        Principal::User(user) if user.id == subject.id && user.is_org => AccountRelation::Member(Role::Owner),
        Principal::User(user) if user.id == subject.id => AccountRelation::Oneself,
        Principal::User(user) => match members::find(db, subject.id, user.id).await? {
            Some(role) => AccountRelation::Member(role),
            None => AccountRelation::Stranger,
        },
    })
}

/// Returns the signed-in user, or the error that asks for credentials. An organization's token counts as one.
pub(crate) fn identity(caller: &Caller) -> Result<&UserIdentity> {
    match &caller.principal {
        Principal::User(user) => caller.check_scope(Scope::Read).map(|()| user),
        Principal::Key(_) => {
            Err(Error::Denied("Only users may do this; sign in as a user, not with an access key".into()))
        }
        Principal::Anonymous | Principal::Operator => Err(Error::sign_in()),
    }
}

/// Returns the signed-in person: an organization's token is none.
pub(crate) fn person(caller: &Caller) -> Result<&UserIdentity> {
    match &caller.principal {
        Principal::User(user) if user.is_org => {
            Err(Error::Denied("Only users may do this, not the token of an organization".into()))
        }
        Principal::User(user) => Ok(user),
        _ => identity(caller),
    }
}

/// Rejects features that the owner's plan does not include.
pub(crate) fn check_plan(plan: Plan, needed: Plan) -> Result<()> {
    if plan >= needed {
        Ok(())
    } else {
        Err(Error::Denied(format!("This needs the plan '{}' or more", needed.as_str())))
    }
}

/// Returns the viewer of a list that contains private items.
pub(crate) fn reader(caller: &Caller) -> Viewer {
    Viewer { id: caller.grantee_id(), sees_everything: caller.is_site_admin() }
}

pub(crate) fn enforce(decision: Decision) -> Result<()> {
    match decision {
        Decision::Allowed => Ok(()),
        Decision::SignIn => Err(Error::sign_in()),
        Decision::Denied | Decision::Hidden => Err(Error::Denied("You may not do this".into())),
    }
}

pub(crate) fn not_found(kind: SubjectKind, name: &SubjectName) -> Error {
    let what = match kind {
        SubjectKind::User => "User",
        SubjectKind::Org => "Organization",
    };
    Error::NotFound { what, name: name.to_string() }
}
