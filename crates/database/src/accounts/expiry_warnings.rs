//! The expiries of tokens and access keys that their owners are warned of, each once.

use model::{id::SubjectId, timestamp::Timestamp};

use crate::{
    Read, Result, Tx,
    engine::{
        row::row,
        statement::{insert, select, sql},
    },
};

row! {
    /// A token or an access key that expires.
    pub struct ExpiringSecret in "t" {
        /// Its id.
        id: i64,
        /// The id of its owner.
        owner_id: SubjectId,
        /// Its name.
        name: String,
        /// When it expires, in milliseconds since 1970.
        expiry: i64,
    }
}

/// Returns the tokens that expire between two times and whose owners were not warned yet, up to a limit.
pub async fn list_tokens(
    db: &dyn Read,
    after: Timestamp,
    before: Timestamp,
    limit: i64,
) -> Result<Vec<ExpiringSecret>> {
    db.all(select!(
        ExpiringSecret,
        "FROM tokens t
         WHERE t.expiry IS NOT NULL AND t.expiry > $1 AND t.expiry < $2
             AND NOT EXISTS (
                 SELECT 1
                 FROM expiry_warnings w
                 WHERE w.kind = 'token' AND w.object_id = t.id AND w.expiry = t.expiry
             )
         ORDER BY t.expiry, t.id
         LIMIT $3",
        after,
        before,
        limit,
    ))
    .await
}

/// Does the same for access keys.
pub async fn list_access_keys(
    db: &dyn Read,
    after: Timestamp,
    before: Timestamp,
    limit: i64,
) -> Result<Vec<ExpiringSecret>> {
    db.all(select!(
        ExpiringSecret,
        "FROM access_keys t
         WHERE t.expiry IS NOT NULL AND t.expiry > $1 AND t.expiry < $2
             AND NOT EXISTS (
                 SELECT 1
                 FROM expiry_warnings w
                 WHERE w.kind = 'access key' AND w.object_id = t.id AND w.expiry = t.expiry
             )
         ORDER BY t.expiry, t.id
         LIMIT $3",
        after,
        before,
        limit,
    ))
    .await
}

/// Records a warning; returns false if it is recorded already.
pub async fn insert(tx: &mut Tx, kind: &str, object_id: i64, expiry: i64) -> Result<bool> {
    let statement =
        insert!(expiry_warnings { kind, object_id, expiry }, "ON CONFLICT (kind, object_id, expiry) DO NOTHING",);
    Ok(tx.run(statement).await? > 0)
}

/// Deletes warnings of expiries before a time.
pub async fn delete_expired(tx: &mut Tx, before: Timestamp) -> Result<()> {
    tx.run(sql!("DELETE FROM expiry_warnings WHERE expiry <= $1", before).long()).await?;
    Ok(())
}
