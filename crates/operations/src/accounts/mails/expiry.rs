//! Warns owners of tokens, access keys and signing keys that expire soon, once for each expiry.

use database::{
    Read, ScopedFutureExt, Tx,
    accounts::{expiry_warnings, members, subjects},
    signing::gpg_keys,
};
use model::{
    id::SubjectId,
    role::Role,
    subject::{Subject, SubjectKind},
    timestamp::Timestamp,
};

use super::{DAY_MS, Message, enqueue};
use crate::{House, Result};

/// How many days before the expiry of a token or an access key its owner is warned.
const TOKEN_DAYS: i64 = 7;

/// The same for a signing key, whose replacement takes longer.
const KEY_DAYS: i64 = 30;

/// The number of tokens, and of access keys, that one run looks at.
const TOKENS: i64 = 500;

/// Writes the warnings that are due.
pub(crate) async fn warn_of_expiry(house: &House) -> Result<()> {
    if house.policy.mail.is_none() {
        return Ok(());
    }
    let now = house.clock.now();
    let within = |days: i64| Timestamp::from_millis(now.millis() + days * DAY_MS);
    for token in &expiry_warnings::list_tokens(&house.db, now, within(TOKEN_DAYS), TOKENS).await? {
        let id = ("token", token.id, token.expiry);
        warn(house, token.owner_id, id, &format!("The token {}", token.name), "tokens").await?;
    }
    for key in &expiry_warnings::list_access_keys(&house.db, now, within(TOKEN_DAYS), TOKENS).await? {
        let id = ("access key", key.id, key.expiry);
        warn(house, key.owner_id, id, &format!("The access key {}", key.name), "access_keys").await?;
    }
    let keys = gpg_keys::list_ending(&house.db, within(KEY_DAYS)).await?;
    for key in keys.iter().filter(|key| key.expiry > now.millis()) {
        let (Some(owner_id), id) = (key.subject_id, ("gpg key", key.id, key.expiry)) else { continue };
        warn(house, owner_id, id, &format!("The signing key {}", key.fingerprint), "gpg_key").await?;
    }
    let before = Timestamp::from_millis(now.millis() - DAY_MS);
    let deleted = house.db.write(|tx| expiry_warnings::delete_expired(tx, before).scope_boxed()).await;
    deleted.map_err(|error: database::Error| crate::Error::from(error))
}

async fn warn(
    house: &House,
    owner_id: SubjectId,
    (kind, object_id, expiry): (&'static str, i64, i64),
    what: &str,
    page: &str,
) -> Result<()> {
    house
        .db
        .write(|tx| {
            async move {
                let Some(owner) = subjects::find_by_id(tx, owner_id).await? else { return Ok(()) };
                if !expiry_warnings::insert(tx, kind, object_id, expiry).await? {
                    return Ok(());
                }
                let accounts = if owner.kind == SubjectKind::User { "users" } else { "orgs" };
                let message = Message::Expiry {
                    what: format!("{what} of {}", owner.name),
                    at: Timestamp::from_millis(expiry),
                    path: format!("/-/{accounts}/{}/{page}", owner.name),
                };
                for person in people(tx, owner).await? {
                    enqueue(tx, house, &person, &message).await?;
                }
                Ok::<_, crate::Error>(())
            }
            .scope_boxed()
        })
        .await
}

/// The user, or the owners of the organization.
async fn people(tx: &mut Tx, owner: Subject) -> Result<Vec<Subject>> {
    if owner.kind == SubjectKind::User {
        return Ok(vec![owner]);
    }
    let mut people = Vec::new();
    for member in members::list_of_org(tx, owner.id).await?.into_iter().filter(|member| member.role == Role::Owner) {
        people.extend(find(tx, member.id).await?);
    }
    Ok(people)
}

async fn find(db: &dyn Read, id: SubjectId) -> Result<Option<Subject>> {
    Ok(subjects::find_active(db, id).await?)
}
