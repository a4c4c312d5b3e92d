//! Passphrase attempts on a GPG key: one row for each, until the passphrase turns out to be right or the row expires.

use model::timestamp::Timestamp;

use crate::{
    Read, Result, Tx,
    engine::statement::{insert, sql},
};

/// Deletes the attempts on a key from before a time.
pub async fn delete_expired(tx: &mut Tx, key_id: i64, before: Timestamp) -> Result<()> {
    tx.run(sql!("DELETE FROM gpg_guesses WHERE key_id = $1 AND at <= $2", key_id, before).long()).await?;
    Ok(())
}

/// Returns the times of the attempts on a key, oldest first.
pub async fn list(db: &dyn Read, key_id: i64) -> Result<Vec<Timestamp>> {
    let times: Vec<i64> =
        db.all(sql!("SELECT at FROM gpg_guesses WHERE key_id = $1 ORDER BY at, id LIMIT 100", key_id)).await?;
    Ok(times.into_iter().map(Timestamp::from_millis).collect())
}

/// Locks the key against concurrent attempts; returns whether it exists.
pub async fn lock_key(tx: &mut Tx, key_id: i64) -> Result<bool> {
    let key: Option<i64> = tx.one(sql!("SELECT id FROM gpg_keys WHERE id = $1", key_id).locking_rows()).await?;
    Ok(key.is_some())
}

/// Records that a passphrase is tried.
pub async fn insert(tx: &mut Tx, id: i64, key_id: i64, now: Timestamp) -> Result<()> {
    tx.run(insert!(gpg_guesses { id, key_id, at: now })).await?;
    Ok(())
}

/// Deletes an attempt whose passphrase was right, so that it does not count as a guess.
pub async fn delete(tx: &mut Tx, id: i64) -> Result<()> {
    tx.run(sql!("DELETE FROM gpg_guesses WHERE id = $1", id).long()).await?;
    Ok(())
}
