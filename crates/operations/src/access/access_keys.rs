//! Access keys that users and organizations give to key holders.

mod change;
mod existence;

use std::fmt;

use database::{
    ScopedFutureExt, Tx,
    access::{access_key_downloads, access_keys, key_rights},
};
use model::{
    access::Action,
    access_key::{AccessKey, AccessKeyUsage, KeyTerms},
    api_key::ApiKey,
    id::KeyId,
    names::{AccessKeyName, SubjectName},
    overview::{KeyOverview, KeyRight},
    plan::Plan,
    subject::{Subject, SubjectKind},
};

use crate::{
    Caller, Error, House, Result, access,
    audit::{entry, record, record_edits},
    change::Edits,
};

pub use change::{CheckChange, KeyChange};

pub(crate) use existence::{ExistenceChecks, confirm};

/// The plan needed to create keys. Existing keys keep working on any plan, and can still be shown and deleted.
const NEEDED: Plan = Plan::Premium;

/// `owner/key`.
#[derive(Debug, Clone)]
pub struct KeyAddress {
    /// The kind of the owner.
    pub kind: SubjectKind,
    /// The owner's name.
    pub owner: SubjectName,
    /// The key's name.
    pub key: AccessKeyName,
}

/// Lists the names of an account's keys, for callers who manage the account.
#[boxed::future]
pub async fn list(house: &House, caller: &Caller, kind: SubjectKind, owner: &SubjectName) -> Result<Vec<String>> {
    let owner = access::account(&house.db, caller, kind, owner, Action::EditProfile).await?;
    Ok(access_keys::list_names(&house.db, owner.id).await?)
}

/// Lists the first access keys of an account by name, with their limits and usage, and the oldest rights of each.
#[boxed::future]
pub async fn list_overviews(
    house: &House,
    caller: &Caller,
    kind: SubjectKind,
    owner: &SubjectName,
    limit: i64,
) -> Result<Vec<(KeyOverview, Vec<KeyRight>)>> {
    let owner = access::account(&house.db, caller, kind, owner, Action::EditProfile).await?;
    let keys = access_key_downloads::list_of_owner(&house.db, owner.id, limit).await?;
    let ids: Vec<KeyId> = keys.iter().map(|key| key.id).collect();
    let mut rights = key_rights::list(&house.db, &ids).await?;
    let with_rights = |key: KeyOverview| {
        let rights = rights.remove(&key.id).unwrap_or_default();
        (key, rights)
    };
    Ok(keys.into_iter().map(with_rights).collect())
}

/// Returns a key, for callers who manage the account.
#[boxed::future]
pub async fn show(house: &House, caller: &Caller, at: &KeyAddress) -> Result<AccessKey> {
    let owner = access::account(&house.db, caller, at.kind, &at.owner, Action::EditProfile).await?;
    access_keys::find_of_owner(&house.db, owner.id, &at.key).await?.ok_or_else(|| not_found(at))
}

/// Returns what a key opens.
#[boxed::future]
pub async fn show_rights(house: &House, caller: &Caller, at: &KeyAddress) -> Result<Vec<KeyRight>> {
    let key = show(house, caller, at).await?;
    Ok(key_rights::list(&house.db, &[key.id]).await?.remove(&key.id).unwrap_or_default())
}

/// Returns the usage of a key; `None` if it was never used.
#[boxed::future]
pub async fn show_usage(house: &House, caller: &Caller, at: &KeyAddress) -> Result<Option<AccessKeyUsage>> {
    let key = show(house, caller, at).await?;
    Ok(access_key_downloads::find_usage(&house.db, key.id).await?)
}

/// Creates a key and returns its password, which cannot be retrieved later.
#[boxed::future]
pub async fn create(house: &House, caller: &Caller, at: &KeyAddress, change: &KeyChange) -> Result<ApiKey> {
    let owner = &access::account(&house.db, caller, at.kind, &at.owner, Action::EditProfile).await?;
    access::check_plan(owner.plan, NEEDED)?;
    let mut terms = KeyTerms::default();
    change.apply(house, &mut terms, &mut Edits::default())?;
    let (id, password) = (KeyId::new(house.next_id()), change.new_password(house, at)?);
    let log = &entry(house, caller, "access_key.create", at, "");
    let key = &AccessKey {
        id,
        owner_id: owner.id,
        name: at.key.clone(),
        password_hash: house.secrets.hash_password(id, &password),
        created: log.at,
        spent_downloads: 0,
        terms,
    };
    house
        .db
        .write(|tx| {
            async move {
                lock_owner(tx, caller, owner, NEEDED).await?;
                match access_keys::insert(tx, key).await {
                    Err(database::Error::Conflict) => {
                        return Err(Error::Conflict(format!("Access key '{}' already exists", key.name)));
                    }
                    other => other?,
                }
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await?;
    Ok(password)
}

/// Changes a key and returns it. When this returns, the old permissions no longer apply.
#[boxed::future]
pub async fn edit(house: &House, caller: &Caller, at: &KeyAddress, change: &KeyChange) -> Result<AccessKey> {
    let owner = &access::account(&house.db, caller, at.kind, &at.owner, Action::EditProfile).await?;
    access::check_plan(owner.plan, NEEDED)?;
    let log = &entry(house, caller, "access_key.edit", at, "");
    house
        .db
        .write(|tx| {
            async move {
                lock_owner(tx, caller, owner, NEEDED).await?;
                let mut key = find(tx, owner, at).await?;
                let mut edits = Edits::default();
                change.apply(house, &mut key.terms, &mut edits)?;
                access_keys::update_terms(tx, key.id, &key.terms).await?;
                if change.password.is_some() {
                    let hash = house.secrets.hash_password(key.id, &change.new_password(house, at)?);
                    access_keys::update_password(tx, key.id, &hash).await?;
                }
                record_edits(tx, log, &edits).await?;
                Ok(key)
            }
            .scope_boxed()
        })
        .await
}

/// Replaces the password of a key and returns the new one. The old password no longer works then.
#[boxed::future]
pub async fn renew_password(house: &House, caller: &Caller, at: &KeyAddress) -> Result<ApiKey> {
    let owner = &access::account(&house.db, caller, at.kind, &at.owner, Action::EditProfile).await?;
    access::check_plan(owner.plan, NEEDED)?;
    let password = &KeyChange::default().new_password(house, at)?;
    let log = &entry(house, caller, "access_key.new_password", at, "");
    house
        .db
        .write(|tx| {
            async move {
                lock_owner(tx, caller, owner, NEEDED).await?;
                let key = find(tx, owner, at).await?;
                access_keys::update_password(tx, key.id, &house.secrets.hash_password(key.id, password)).await?;
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await?;
    Ok(password.clone())
}

/// Deletes a key together with its entitlements.
#[boxed::future]
pub async fn delete(house: &House, caller: &Caller, at: &KeyAddress) -> Result<()> {
    let owner = &access::account(&house.db, caller, at.kind, &at.owner, Action::EditProfile).await?;
    let log = &entry(house, caller, "access_key.delete", at, "");
    house
        .db
        .write(|tx| {
            async move {
                lock_owner(tx, caller, owner, Plan::Free).await?;
                let key = find(tx, owner, at).await?;
                access_keys::delete(tx, key.id).await?;
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await
}

/// Locks the owner and checks the right and the plan again, because both may have been lost in the meantime.
async fn lock_owner(tx: &mut Tx, caller: &Caller, owner: &Subject, needed: Plan) -> Result<()> {
    let owner = access::lock(tx, owner).await?;
    access::check_account(tx, caller, &owner, Action::EditProfile).await?;
    access::check_plan(owner.plan, needed)
}

async fn find(tx: &Tx, owner: &Subject, at: &KeyAddress) -> Result<AccessKey> {
    access_keys::find_of_owner(tx, owner.id, &at.key).await?.ok_or_else(|| not_found(at))
}

fn not_found(at: &KeyAddress) -> Error {
    Error::NotFound { what: "Access key", name: at.key.to_string() }
}

impl fmt::Display for KeyAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.owner, self.key)
    }
}
