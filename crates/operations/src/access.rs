//! From a caller and an account to a decision of the permission table.

use database::{
    Read, Tx, members,
    subjects::{self, Kind, Subject},
};
use model::{
    access::{Action, Decision, Standing, decide},
    names::SubjectName,
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

const SIGN_IN: &str = "This resource requires authentication";

pub(crate) fn enforce(decision: Decision) -> Result<()> {
    match decision {
        Decision::Allowed => Ok(()),
        Decision::SignIn => Err(Error::Unauthenticated(SIGN_IN)),
        Decision::Denied => Err(Error::Denied("You may not do this".into())),
    }
}

pub(crate) fn not_found(kind: Kind, name: &SubjectName) -> Error {
    let what = match kind {
        Kind::User => "User",
        Kind::Org => "Organization",
    };
    Error::NotFound { what, name: name.to_string() }
}
