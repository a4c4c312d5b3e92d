//! Facts about this installation, by key.

use crate::{Read, Result, Tx, engine::statement::sql};

/// The value kept under a key.
pub async fn find(db: &impl Read, key: &str) -> Result<Option<String>> {
    db.one(sql!("SELECT value FROM meta WHERE key = $1", key)).await
}

/// Keeps a value under a key, in the place of the one before.
pub async fn set(tx: &mut Tx, key: &str, value: &str) -> Result<()> {
    tx.run(sql!(
        "INSERT INTO meta (key, value) VALUES ($1, $2)
         ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        key,
        value,
    ))
    .await?;
    Ok(())
}

/// Keeps a value under a key that has none yet.
pub async fn insert(tx: &mut Tx, key: &str, value: &str) -> Result<()> {
    tx.run(sql!("INSERT INTO meta (key, value) VALUES ($1, $2)", key, value)).await?;
    Ok(())
}
