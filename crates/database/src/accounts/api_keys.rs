//! API keys, identified by their keyed hash. The key itself is not stored.

use model::{id::SubjectId, timestamp::Timestamp};

use crate::{
    Read, Result, Tx,
    engine::{
        invalidation::Invalidation,
        statement::{insert, sql},
    },
};

/// Adds an API key of a user.
pub async fn insert(tx: &mut Tx, id: i64, user_id: SubjectId, hash: &str, now: Timestamp) -> Result<()> {
    tx.invalidate(Invalidation::Accounts);
    tx.run(insert!(api_keys { id, user_id, hash, created: now })).await?;
    Ok(())
}

/// Returns the ids of a user's API keys. After a change of keys, no id is the same.
pub async fn list_ids(db: &dyn Read, user_id: SubjectId) -> Result<Vec<i64>> {
    db.all(sql!("SELECT id FROM api_keys WHERE user_id = $1 ORDER BY id", user_id)).await
}

/// Returns the id of the key with this hash.
pub async fn find_id(db: &dyn Read, hash: &str) -> Result<Option<i64>> {
    db.one(sql!("SELECT id FROM api_keys WHERE hash = $1", hash).looking_up()).await
}

/// Deletes all API keys of a user.
pub async fn delete_all(tx: &mut Tx, user_id: SubjectId) -> Result<()> {
    tx.invalidate(Invalidation::Accounts);
    tx.run(sql!("DELETE FROM api_keys WHERE user_id = $1", user_id).long()).await?;
    Ok(())
}
