//! Facts about this installation, by key.

use crate::{
    Read, Result, Tx,
    engine::statement::{insert, sql},
};

/// The value kept under a key.
pub async fn find(db: &impl Read, key: &str) -> Result<Option<String>> {
    db.one(sql!("SELECT value FROM meta WHERE key = $1", key)).await
}

/// Keeps a value under a key, in the place of the one before.
pub async fn set(tx: &mut Tx, key: &str, value: &str) -> Result<()> {
    tx.run(insert!(meta { key, value }, "ON CONFLICT (key) DO UPDATE SET value = excluded.value")).await?;
    Ok(())
}

/// Keeps a value under a key that has none yet.
pub async fn insert(tx: &mut Tx, key: &str, value: &str) -> Result<()> {
    tx.run(insert!(meta { key, value })).await?;
    Ok(())
}
