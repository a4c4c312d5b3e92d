//! Members of organizations.

use database::{
    ScopedFutureExt, Tx,
    accounts::{members, subjects},
};
use model::{
    access::Action,
    id::SubjectId,
    names::SubjectName,
    role::Role,
    subject::{Subject, SubjectKind},
};

use crate::{
    Caller, Error, House, Result, access,
    accounts::mails::{self, Message},
    audit::{entry, record, record_edits},
    change::Edits,
};

/// Adds a user to an organization, or changes the user's role in it.
#[boxed::future]
pub async fn set(house: &House, caller: &Caller, org: &SubjectName, user: &SubjectName, role: Role) -> Result<()> {
    let (org, user) = &pair(house, caller, org, user).await?;
    let log = &entry(house, caller, "member.set", format!("{}/{}", org.name, user.name), "");
    house
        .db
        .write(|tx| {
            async move {
                let before = lock(tx, caller, org, user, Some(role)).await?;
                if before == Some(Role::Owner) && role != Role::Owner {
                    check_another_owner(tx, org).await?;
                }
                insert(tx, org.id, user, role).await?;
                if before.is_none() && caller.user().is_none_or(|own| own.id != user.id) {
                    let by = caller.name().unwrap_or_else(|| "An administrator".to_owned());
                    let message = Message::Membership { org: org.name.to_string(), role: role.as_str(), by };
                    mails::enqueue(tx, house, user, &message).await?;
                }
                let mut edits = Edits::default();
                edits.record_set("type", &before, &Some(role));
                record_edits(tx, log, &edits).await
            }
            .scope_boxed()
        })
        .await
}

/// Removes a user from an organization.
#[boxed::future]
pub async fn remove(house: &House, caller: &Caller, org: &SubjectName, user: &SubjectName) -> Result<()> {
    let (org, user) = &pair(house, caller, org, user).await?;
    let log = &entry(house, caller, "member.remove", format!("{}/{}", org.name, user.name), "");
    house
        .db
        .write(|tx| {
            async move {
                match lock(tx, caller, org, user, None).await? {
                    None => return Err(Error::NotFound { what: "Member", name: user.name.to_string() }),
                    Some(Role::Owner) => check_another_owner(tx, org).await?,
                    Some(_) => {}
                }
                members::delete(tx, org.id, user.id).await?;
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await
}

/// Returns the organization, which the caller must be allowed to manage, and the user. Members may always remove
/// themselves.
async fn pair(house: &House, caller: &Caller, org: &SubjectName, user: &SubjectName) -> Result<(Subject, Subject)> {
    let is_oneself = caller.user().is_some_and(|identity| identity.name == *user);
    let action = if is_oneself { Action::SeeProfile } else { Action::ManageMembers };
    let org = access::account(&house.db, caller, SubjectKind::Org, org, action).await?;
    let user = access::account(&house.db, caller, SubjectKind::User, user, Action::SeeProfile).await?;
    // Who lacks what the organization requires may still leave it.
    if is_oneself && members::find_any(&house.db, org.id, user.id).await?.is_none() {
        access::check_account(&house.db, caller, &org, Action::SeeMembers).await?;
    }
    Ok((org, user))
}

/// Locks the organization's row, so that two simultaneous requests cannot remove its last owners, and checks the right
/// again.
///
/// Returns the user's current role.
async fn lock(tx: &mut Tx, caller: &Caller, org: &Subject, user: &Subject, to: Option<Role>) -> Result<Option<Role>> {
    access::lock(tx, org).await?;
    // The second factor of the user does not change before the membership is written.
    subjects::lock(tx, user.id).await?;
    let before = members::find_any(tx, org.id, user.id).await?.map(|(role, _)| role);
    let is_leaving = to.is_none() && caller.user().is_some_and(|identity| identity.id == user.id);
    if !is_leaving {
        let touches_owner = to == Some(Role::Owner) || before == Some(Role::Owner);
        let action = if touches_owner { Action::ManageOwners } else { Action::ManageMembers };
        access::check_account(tx, caller, org, action).await?;
    }
    Ok(before)
}

/// Inserts a membership of a user who may have been deleted in the meantime.
pub(crate) async fn insert(tx: &mut Tx, org_id: SubjectId, user: &Subject, role: Role) -> Result<()> {
    match members::upsert(tx, org_id, user.id, role).await {
        Err(database::Error::Missing) => Err(access::not_found(SubjectKind::User, &user.name)),
        other => Ok(other?),
    }
}

async fn check_another_owner(tx: &mut Tx, org: &Subject) -> Result<()> {
    if members::count_owners(tx, org.id).await? < 2 {
        return Err(Error::Conflict(format!("Organization '{}' must keep an owner", org.name)));
    }
    Ok(())
}
