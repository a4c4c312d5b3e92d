//! Facts about this installation, stored as key and value.

use crate::{
    Read, Result, Tx,
    engine::statement::{insert, sql},
};

/// Returns the value of a key.
pub async fn find(db: &dyn Read, key: &str) -> Result<Option<String>> {
    db.one(sql!("SELECT value FROM meta WHERE key = $1", key)).await
}

/// Sets the value of a key and replaces an earlier one.
pub async fn set(tx: &mut Tx, key: &str, value: &str) -> Result<()> {
    tx.run(insert!(meta { key, value }, "ON CONFLICT (key) DO UPDATE SET value = excluded.value")).await?;
    Ok(())
}

/// Adds a key that has no value yet.
pub async fn insert(tx: &mut Tx, key: &str, value: &str) -> Result<()> {
    tx.run(insert!(meta { key, value })).await?;
    Ok(())
}
