//! Sessions of key holders on the pages, identified by the keyed hash of their token.

use model::{id::KeyId, timestamp::Timestamp};

use crate::{
    Read, Result, Tx,
    engine::{
        row::row,
        statement::{insert, select, sql},
    },
};

row! {
    /// A session of a key holder.
    pub struct KeySession {
        /// The id of the key.
        key_id: KeyId,
        /// The hash of the password that the key had when the session began.
        password_hash: String,
        /// When the session began, in milliseconds.
        created: i64,
    }
}

/// Returns the session whose token has this hash.
pub async fn find(db: &dyn Read, hash: &str) -> Result<Option<KeySession>> {
    db.one(select!(KeySession, "FROM key_sessions WHERE hash = $1", hash).looking_up()).await
}

/// Adds a session of a key.
pub async fn insert(tx: &mut Tx, hash: &str, key_id: KeyId, password_hash: &str, now: Timestamp) -> Result<()> {
    tx.run(insert!(key_sessions { hash, key_id, password_hash, created: now })).await?;
    Ok(())
}

/// Ends a session; returns whether it existed.
pub async fn delete(tx: &mut Tx, hash: &str) -> Result<bool> {
    Ok(tx.run(sql!("DELETE FROM key_sessions WHERE hash = $1", hash).long()).await? > 0)
}

/// Deletes the sessions that began before a time.
pub async fn delete_expired(tx: &mut Tx, before: Timestamp) -> Result<()> {
    tx.run(sql!("DELETE FROM key_sessions WHERE created <= $1", before).long()).await?;
    Ok(())
}
