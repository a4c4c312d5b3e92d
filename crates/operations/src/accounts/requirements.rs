//! What organizations require of their members. Members who lack it have none of the rights of the organization.

use database::{
    ScopedFutureExt, Tx,
    accounts::{members, requirements as rows, second_factors, sessions as session_rows, subjects},
};
use model::{
    access::Action,
    names::SubjectName,
    subject::{Subject, SubjectKind},
};

use super::{sessions, sso};
use crate::{
    Caller, Error, House, Result, UserIdentity, access,
    audit::{entry, record_edits},
    change::Edits,
};

pub use database::accounts::requirements::UnmetRequirement;

/// Something that an organization can require.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Requirement {
    /// A second factor.
    SecondFactor,
    /// An identity at the provider of single sign-on, and no password.
    SingleSignOn,
}

impl Requirement {
    /// The name of its field.
    fn field(self) -> &'static str {
        match self {
            Self::SecondFactor => "require_second_factor",
            Self::SingleSignOn => "require_single_sign_on",
        }
    }

    fn is_of(self, org: &Subject) -> bool {
        match self {
            Self::SecondFactor => org.requires_second_factor,
            Self::SingleSignOn => org.requires_single_sign_on,
        }
    }

    async fn update(self, tx: &mut Tx, org: &Subject, is_required: bool) -> Result<()> {
        match self {
            Self::SecondFactor => Ok(rows::update_second_factor(tx, org.id, is_required).await?),
            Self::SingleSignOn => Ok(rows::update_single_sign_on(tx, org.id, is_required).await?),
        }
    }

    /// Rejects owners who would lock themselves out.
    async fn check_owner(self, tx: &mut Tx, user: &UserIdentity) -> Result<()> {
        let (is_met, message) = match self {
            Self::SecondFactor => {
                (second_factors::is_confirmed(tx, user.id).await?, "Set up your own second factor first")
            }
            Self::SingleSignOn => {
                (rows::has_single_sign_on(tx, user.id).await?, "Sign in with single sign-on only yourself first")
            }
        };
        if is_met { Ok(()) } else { Err(Error::Conflict(message.into())) }
    }
}

/// Changes what an organization requires. Members without it lose the rights of the organization until they have it. An
/// owner who asks for it has it.
#[boxed::future]
pub async fn set(
    house: &House,
    caller: &Caller,
    name: &SubjectName,
    requirement: Requirement,
    is_required: bool,
) -> Result<()> {
    let org = &access::account(&house.db, caller, SubjectKind::Org, name, Action::ManageOwners).await?;
    if is_required && requirement == Requirement::SingleSignOn && sso::config(house).is_none() {
        return Err(Error::Conflict("This server has no single sign-on".into()));
    }
    let log = &entry(house, caller, "org.edit", name, "");
    house
        .db
        .write(|tx| {
            async move {
                let org = access::lock(tx, org).await?;
                if let Some(user) = caller.user().filter(|user| is_required && !user.is_org) {
                    requirement.check_owner(tx, user).await?;
                }
                requirement.update(tx, &org, is_required).await?;
                let mut edits = Edits::default();
                let text = |is_required: bool| if is_required { "true" } else { "false" };
                edits.record_texts(requirement.field(), text(requirement.is_of(&org)), text(is_required));
                record_edits(tx, log, &edits).await
            }
            .scope_boxed()
        })
        .await
}

/// Returns whether the caller is a member who lacks something that the organization requires.
#[boxed::future]
pub async fn is_waiting(house: &House, caller: &Caller, name: &SubjectName) -> Result<bool> {
    let (Some(user), Some(org)) = (caller.user(), subjects::find(&house.db, name).await?) else { return Ok(false) };
    let found = members::find_any(&house.db, org.id, user.id).await?;
    Ok(found.is_some_and(|(_, is_waiting)| is_waiting))
}

/// Removes the password of the caller, who knows it or the API key and has an identity at the provider. All sessions
/// end, so that the next one comes from the provider.
#[boxed::future]
pub async fn remove_password(house: &House, caller: &Caller, secret: &str) -> Result<()> {
    let user = access::person(caller)?;
    if caller.token().is_some() {
        return Err(Error::Denied("A token may not change how its owner signs in".into()));
    }
    sessions::confirm(house, caller, secret).await.map_err(|error| match error {
        Error::Unauthenticated(_) => Error::Denied("The current password or API key is wrong".into()),
        other => other,
    })?;
    if sso::count_of_caller(house, caller).await? == 0 {
        return Err(Error::Conflict("Sign in with single sign-on first".into()));
    }
    let log = &entry(house, caller, "user.edit", &user.name, "");
    house
        .db
        .write(|tx| {
            async move {
                subjects::lock(tx, user.id).await?.ok_or_else(Error::sign_in)?;
                subjects::update_password(tx, user.id, None).await?;
                session_rows::delete_all(tx, user.id).await?;
                rows::update_waiting_of_user(tx, user.id).await?;
                let mut edits = Edits::default();
                edits.record_secret("password");
                record_edits(tx, log, &edits).await
            }
            .scope_boxed()
        })
        .await
}

/// Records that a locked user may have lost what an organization requires.
pub(super) async fn update_after_loss(tx: &mut Tx, user: &Subject) -> Result<()> {
    rows::lock_orgs(tx, user.id).await?;
    Ok(rows::update_waiting_of_user(tx, user.id).await?)
}
