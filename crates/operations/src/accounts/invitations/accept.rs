//! How an invitation is accepted.

use database::{
    ScopedFutureExt,
    accounts::{
        invitations::{self as rows, Invitation},
        members as member_rows, subjects,
    },
};
use model::{names::SubjectName, role::Role};

use super::may_invite;
use crate::{
    Caller, Error, House, Result, UserIdentity, access,
    accounts::members,
    audit::{entry, record},
};

/// Returns the organization and the invitation of a link, for a signed-in user who has it.
#[boxed::future]
pub async fn show(house: &House, caller: &Caller, secret: &str) -> Result<(SubjectName, Invitation)> {
    person(caller)?;
    let hash = house.secrets.hash_invitation(secret);
    let invitation = rows::find(&house.db, &hash, house.clock.now()).await?.ok_or_else(invalid)?;
    let org = subjects::find_by_id(&house.db, invitation.org_id).await?.ok_or_else(invalid)?;
    Ok((org.name, invitation))
}

/// Makes the caller a member by the secret of a link, which is then used up. Returns the organization.
#[boxed::future]
pub async fn accept(house: &House, caller: &Caller, secret: &str) -> Result<SubjectName> {
    let user = person(caller)?;
    let (name, invitation) = show(house, caller, secret).await?;
    let detail = format!("type: {}; invited by {}", invitation.role, invitation.inviter);
    let log = &entry(house, caller, "invitation.accept", format!("{name}/{}", user.name), detail);
    let hash = &house.secrets.hash_invitation(secret);
    house
        .db
        .write(|tx| {
            async move {
                let org = subjects::lock(tx, invitation.org_id).await?.ok_or_else(invalid)?;
                let user = subjects::lock(tx, user.id).await?.ok_or_else(Error::sign_in)?;
                let invitation = rows::find(tx, hash, log.at).await?.ok_or_else(invalid)?;
                let role = Role::parse(&invitation.role).ok_or_else(invalid)?;
                if !may_invite(tx, &org, &invitation, role).await? {
                    return Err(invalid());
                }
                if member_rows::find_any(tx, org.id, user.id).await?.is_some() {
                    return Err(Error::Conflict(format!("You are a member of '{}' already", org.name)));
                }
                if !rows::delete(tx, invitation.id).await? {
                    return Err(invalid());
                }
                members::insert(tx, org.id, &user, role).await?;
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await?;
    Ok(name)
}

/// Returns the signed-in person. A token is none: it may not give its owner more rights.
fn person(caller: &Caller) -> Result<&UserIdentity> {
    match caller.token() {
        None => access::person(caller),
        Some(_) => Err(Error::Denied("A token may not accept an invitation".into())),
    }
}

/// The same error for a wrong link, an expired one, a revoked one and a used one.
fn invalid() -> Error {
    Error::Denied("The invitation is not valid, or it has expired or was used before".into())
}
