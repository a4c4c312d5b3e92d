//! Usage of access keys.

use model::{
    access_key::AccessKeyUsage,
    id::{KeyId, SubjectId},
    overview::KeyOverview,
    timestamp::Timestamp,
};

use crate::{
    Read, Result, Tx,
    engine::{
        row::row,
        statement::{select, sql},
    },
};

row! {
    struct AccessKeyUsageRow => AccessKeyUsage {
        downloads: i64, bytes: i64, last_used: i64, last_address: String,
    }
}

/// Adds to the usage of an access key. Ignores a key that was deleted meanwhile.
pub async fn add_usage(tx: &mut Tx, key_id: KeyId, usage: &AccessKeyUsage) -> Result<()> {
    tx.run(sql!(
        "INSERT INTO access_key_usage (key_id, downloads, bytes, last_used, last_address)
         SELECT k.id, $2, $3, $4, $5
         FROM access_keys k
         WHERE k.id = $1
         ON CONFLICT (key_id) DO UPDATE SET
             downloads = access_key_usage.downloads + excluded.downloads,
             bytes = access_key_usage.bytes + excluded.bytes,
             last_address = CASE WHEN excluded.last_used < access_key_usage.last_used
                 THEN access_key_usage.last_address ELSE excluded.last_address END,
             last_used = CASE WHEN excluded.last_used < access_key_usage.last_used
                 THEN access_key_usage.last_used ELSE excluded.last_used END",
        key_id,
        usage.downloads,
        usage.bytes,
        Timestamp::from_millis(usage.last_used),
        &usage.last_address,
    ))
    .await?;
    Ok(())
}

/// Returns the usage of an access key; `None` if it was never used.
pub async fn find_usage(db: &dyn Read, key_id: KeyId) -> Result<Option<AccessKeyUsage>> {
    db.one(select!(AccessKeyUsageRow, "FROM access_key_usage WHERE key_id = $1", key_id)).await
}

row! {
    struct KeyOverviewRow => KeyOverview {
        id: KeyId = "k.id", name: String = "k.name", expiry: Option<i64> = "k.expiry", max_downloads: Option<i64> = "k.max_downloads",
        downloads: Option<i64> = "u.downloads", last_used: Option<i64> = "u.last_used",
    }
}

/// Returns the first access keys of an owner by name, with their usage.
pub async fn list_of_owner(db: &dyn Read, owner_id: SubjectId, limit: i64) -> Result<Vec<KeyOverview>> {
    db.all(select!(
        KeyOverviewRow,
        "FROM access_keys k
         LEFT JOIN access_key_usage u ON u.key_id = k.id
         WHERE k.owner_id = $1
         ORDER BY k.name
         LIMIT $2",
        owner_id,
        limit,
    ))
    .await
}
