//! Access keys, which subjects give to key holders. The password is not stored, only its keyed hash.

use ipnet::IpNet;
use model::{
    access::Networks,
    access_key::{AccessKey, ExistenceCheck, KeyTerms},
    id::{KeyId, SubjectId},
    names::{AccessKeyName, SubjectName},
    subject::Subject,
    timestamp::Timestamp,
};

use crate::{
    Error, Read, Result, Tx,
    accounts::subjects,
    engine::{
        invalidation::Invalidation,
        lines,
        row::row,
        statement::{insert, select, sql},
    },
};

row! {
    struct KeyRow {
        id: KeyId, owner_id: SubjectId, name: String, password_hash: String, created: i64, spent_downloads: i64,
        expiry: Option<i64>, white_cidrs: String, black_cidrs: String, check_url: Option<String>,
        check_secs: Option<i64>, is_api_only: bool, max_downloads: Option<i64>,
    }
}

impl TryFrom<KeyRow> for AccessKey {
    type Error = Error;

    fn try_from(row: KeyRow) -> Result<Self> {
        let damaged = || Error::Broken(format!("access key {} has a damaged row", row.id));
        let networks = |text: &str| -> Option<Vec<IpNet>> {
            lines::split(text).iter().map(|network| network.parse().ok()).collect()
        };
        let terms = KeyTerms {
            expiry: row.expiry.map(Timestamp::from_millis),
            networks: Networks {
                white: networks(&row.white_cidrs).ok_or_else(damaged)?,
                black: networks(&row.black_cidrs).ok_or_else(damaged)?,
            },
            existence_check: row
                .check_url
                .zip(row.check_secs)
                .map(|(url, cache_for_secs)| ExistenceCheck { url, cache_for_secs }),
            is_api_only: row.is_api_only,
            max_downloads: row.max_downloads,
        };
        Ok(AccessKey {
            id: row.id,
            owner_id: row.owner_id,
            name: AccessKeyName::parse(&row.name).map_err(|_| damaged())?,
            password_hash: row.password_hash,
            created: Timestamp::from_millis(row.created),
            spent_downloads: row.spent_downloads,
            terms,
        })
    }
}

/// Returns the key with this name, and its owner. Suspended owners have none.
pub async fn find(db: &dyn Read, owner: &SubjectName, name: &AccessKeyName) -> Result<Option<(AccessKey, Subject)>> {
    let owner = subjects::find(db, owner).await?.filter(|owner| !owner.is_suspended);
    let Some(owner) = owner else { return Ok(None) };
    let key = find_of_owner(db, owner.id, name).await?;
    Ok(key.map(|key| (key, owner)))
}

/// Returns the key with this name that belongs to an owner.
pub async fn find_of_owner(db: &dyn Read, owner_id: SubjectId, name: &AccessKeyName) -> Result<Option<AccessKey>> {
    let row: Option<KeyRow> = db
        .one(
            select!(
                KeyRow,
                "FROM access_keys
             WHERE owner_id = $1 AND name = $2",
                owner_id,
                name,
            )
            .looking_up(),
        )
        .await?;
    row.map(AccessKey::try_from).transpose()
}

/// Returns the key with this id, and its owner. Suspended owners have none.
pub async fn find_by_id(db: &dyn Read, id: KeyId) -> Result<Option<(AccessKey, Subject)>> {
    let row: Option<KeyRow> = db
        .one(
            select!(
                KeyRow,
                "FROM access_keys
             WHERE id = $1",
                id,
            )
            .looking_up(),
        )
        .await?;
    let Some(key) = row.map(AccessKey::try_from).transpose()? else { return Ok(None) };
    Ok(subjects::find_active(db, key.owner_id).await?.map(|owner| (key, owner)))
}

/// Returns the names of an owner's keys, in alphabetical order.
pub async fn list_names(db: &dyn Read, owner_id: SubjectId) -> Result<Vec<String>> {
    db.all(sql!("SELECT name FROM access_keys WHERE owner_id = $1 ORDER BY name", owner_id)).await
}

/// Adds a key, unless its owner already has one with this name.
pub async fn insert(tx: &mut Tx, key: &AccessKey) -> Result<()> {
    let (white, black) = network_lines(&key.terms.networks);
    let check = key.terms.existence_check.as_ref();
    tx.run(insert!(access_keys {
        id: key.id,
        owner_id: key.owner_id,
        name: &key.name,
        folded_name: key.name.folded(),
        password_hash: &key.password_hash,
        expiry: key.terms.expiry,
        white_cidrs: white,
        black_cidrs: black,
        check_url: check.map(|check| check.url.clone()),
        check_secs: check.map(|check| check.cache_for_secs),
        is_api_only: key.terms.is_api_only,
        max_downloads: key.terms.max_downloads,
        spent_downloads: key.spent_downloads,
        created: key.created,
    }))
    .await?;
    Ok(())
}

/// Updates the editable fields of a key.
pub async fn update_terms(tx: &mut Tx, key_id: KeyId, terms: &KeyTerms) -> Result<()> {
    tx.invalidate(Invalidation::Key(key_id));
    let (white, black) = network_lines(&terms.networks);
    let check = terms.existence_check.as_ref();
    tx.run(sql!(
        "UPDATE access_keys
         SET expiry = $2, white_cidrs = $3, black_cidrs = $4, check_url = $5, check_secs = $6, is_api_only = $7,
             max_downloads = $8
         WHERE id = $1",
        key_id,
        terms.expiry,
        white,
        black,
        check.map(|check| check.url.clone()),
        check.map(|check| check.cache_for_secs),
        terms.is_api_only,
        terms.max_downloads,
    ))
    .await?;
    Ok(())
}

/// Changes the password of a key.
pub async fn update_password(tx: &mut Tx, key_id: KeyId, password_hash: &str) -> Result<()> {
    tx.invalidate(Invalidation::Key(key_id));
    tx.run(sql!("UPDATE access_keys SET password_hash = $2 WHERE id = $1", key_id, password_hash)).await?;
    Ok(())
}

/// Deletes a key and everything granted to it.
pub async fn delete(tx: &mut Tx, key_id: KeyId) -> Result<()> {
    tx.invalidate(Invalidation::Key(key_id));
    tx.run(sql!("DELETE FROM access_keys WHERE id = $1", key_id).long()).await?;
    Ok(())
}

/// Deletes a key that no longer exists according to its external service, unless its password or the URL of the service
/// has changed meanwhile.
pub async fn delete_unless_changed(tx: &mut Tx, key: &AccessKey, url: &str) -> Result<bool> {
    tx.invalidate(Invalidation::Key(key.id));
    let deleted = tx
        .run(
            sql!(
                "DELETE FROM access_keys WHERE id = $1 AND password_hash = $2 AND check_url = $3",
                key.id,
                &key.password_hash,
                url,
            )
            .long(),
        )
        .await?;
    Ok(deleted == 1)
}

fn network_lines(networks: &Networks) -> (String, String) {
    let text = |list: &[IpNet]| lines::join(&list.iter().map(IpNet::to_string).collect::<Vec<_>>());
    (text(&networks.white), text(&networks.black))
}
