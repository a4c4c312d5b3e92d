//! Identity tokens that were exchanged, by their hashes, until they expire.

use model::timestamp::Timestamp;

use crate::{
    Result, Tx,
    engine::statement::{insert, sql},
};

/// Records that a token is exchanged. One that was exchanged before is a conflict.
pub async fn insert(tx: &mut Tx, hash: &str, expiry: Timestamp) -> Result<()> {
    tx.run(insert!(spent_identity_tokens { hash, expiry })).await?;
    Ok(())
}

/// Deletes those that expired before a time.
pub async fn delete_expired(tx: &mut Tx, before: Timestamp) -> Result<()> {
    tx.run(sql!("DELETE FROM spent_identity_tokens WHERE expiry <= $1", before).long()).await?;
    Ok(())
}
