//! Invitations to organizations: a link that makes its first reader a member, for some days. It is sent by mail, or
//! shown to the inviter if the server sends no mail.

mod accept;

use database::{
    ScopedFutureExt, Tx,
    accounts::{invitations as rows, members, subjects},
};
use model::{
    access::{AccountRelation, Action, Decision, decide},
    digest::hex,
    email::Email,
    id::InvitationId,
    names::SubjectName,
    role::Role,
    subject::{Subject, SubjectKind},
    timestamp::Timestamp,
};

use crate::{
    Caller, Error, House, Result, access,
    accounts::mails::{self, Message},
    audit::{entry, record},
};

pub use accept::{accept, show};
pub use database::accounts::invitations::Invitation;

/// The maximum number of invitations within a week: of an organization, and of a user to all organizations.
pub const INVITATIONS: i64 = 100;

/// How long an invitation is good.
const LASTS_MS: i64 = 7 * 24 * 60 * 60 * 1_000;

/// A new invitation.
#[derive(Debug)]
pub struct NewInvitation {
    /// The invitation.
    pub invitation: Invitation,
    /// The path and query of its page, if nothing was mailed. It cannot be retrieved later.
    pub path: Option<String>,
}

/// Lists the open invitations of an organization.
#[boxed::future]
pub async fn list(house: &House, caller: &Caller, org: &SubjectName) -> Result<Vec<Invitation>> {
    let org = access::account(&house.db, caller, SubjectKind::Org, org, Action::ManageMembers).await?;
    Ok(rows::list_of_org(&house.db, org.id, house.clock.now()).await?)
}

/// Invites the reader of a mailbox. An earlier invitation of the same address ends.
#[boxed::future]
pub async fn create(
    house: &House,
    caller: &Caller,
    org: &SubjectName,
    email: &Email,
    role: Role,
) -> Result<NewInvitation> {
    let org = &access::account(&house.db, caller, SubjectKind::Org, org, action(role)).await?;
    let inviter = access::identity(caller)?;
    let secret = hex(&house.entropy.bytes());
    let hash = &house.secrets.hash_invitation(&secret);
    let log = &entry(
        house,
        caller,
        "invitation.create",
        format!("{}/{}", org.name, email.folded()),
        format!("type: {}", role.as_str()),
    );
    let invitation = &Invitation {
        id: InvitationId::new(house.next_id()),
        org_id: org.id,
        inviter_id: inviter.id,
        inviter: inviter.name.to_string(),
        email: email.folded(),
        role: role.as_str().to_owned(),
        created: log.at.millis(),
        expiry: log.at.millis() + LASTS_MS,
    };
    let path = format!("/-/invitation?token={secret}");
    let message = &Message::Invitation {
        org: org.name.to_string(),
        role: role.as_str(),
        by: invitation.inviter.clone(),
        path: path.clone(),
        until: Timestamp::from_millis(invitation.expiry),
    };
    house
        .db
        .write(|tx| {
            async move {
                access::lock(tx, org).await?;
                access::check_account(tx, caller, org, action(role)).await?;
                check_number(tx, invitation, log.at).await?;
                rows::revoke_of_address(tx, org.id, &invitation.email, log.at).await?;
                rows::insert(tx, invitation, hash).await?;
                mails::enqueue_to(tx, house, &invitation.email, "", message).await?;
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await?;
    Ok(NewInvitation { invitation: invitation.clone(), path: (!mails::is_on(house)).then_some(path) })
}

/// Revokes an invitation.
#[boxed::future]
pub async fn revoke(house: &House, caller: &Caller, org: &SubjectName, id: InvitationId) -> Result<()> {
    let org = &access::account(&house.db, caller, SubjectKind::Org, org, Action::ManageMembers).await?;
    let missing = || Error::NotFound { what: "Invitation", name: id.name() };
    let open = rows::list_of_org(&house.db, org.id, house.clock.now()).await?;
    let invitation = open.into_iter().find(|one| one.id == id).ok_or_else(missing)?;
    let log = &entry(house, caller, "invitation.revoke", format!("{}/{}", org.name, invitation.email), "");
    house
        .db
        .write(|tx| {
            async move {
                access::lock(tx, org).await?;
                access::check_account(tx, caller, org, Action::ManageMembers).await?;
                if !rows::revoke(tx, org.id, id, log.at).await? {
                    return Err(missing());
                }
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await
}

/// What the caller must be allowed to do, to invite somebody in a role.
fn action(role: Role) -> Action {
    if role == Role::Owner { Action::ManageOwners } else { Action::ManageMembers }
}

/// Limits how many messages go to strangers. Revoked invitations count, too.
async fn check_number(tx: &mut Tx, new: &Invitation, now: Timestamp) -> Result<()> {
    let of_org = rows::count_of_org(tx, new.org_id, now).await?;
    if of_org.max(rows::count_of_inviter(tx, new.inviter_id, now).await?) < INVITATIONS {
        return Ok(());
    }
    let message = format!("There were {INVITATIONS} invitations within a week already; try again later");
    Err(Error::LimitReached { message, retry_after_secs: 3_600, limit: INVITATIONS.unsigned_abs() })
}

/// Returns whether somebody may still invite in a role: who has lost the right has made no good invitation.
async fn may_invite(tx: &mut Tx, org: &Subject, invitation: &Invitation, role: Role) -> Result<bool> {
    let Some(inviter) = subjects::find_active(tx, invitation.inviter_id).await? else {
        return Ok(false);
    };
    let relation = if inviter.id == org.id {
        AccountRelation::Member(Role::Owner)
    } else if inviter.is_site_admin {
        AccountRelation::SiteAdmin
    } else {
        let found = members::find(tx, org.id, inviter.id).await?;
        found.map_or(AccountRelation::Stranger, AccountRelation::Member)
    };
    Ok(decide(action(role), relation) == Decision::Allowed)
}

/// Deletes expired invitations.
pub(crate) async fn delete_expired(house: &House) -> Result<()> {
    let now = house.clock.now();
    let deleted = house.db.write(|tx| rows::delete_expired(tx, now).scope_boxed()).await;
    deleted.map_err(|error: database::Error| Error::from(error))
}
