//! Passwords that were tried: a row for each, by what it counts for, until it turns out to be right or is forgotten.

use model::timestamp::Timestamp;

use crate::{
    Read, Result, Tx,
    engine::statement::{insert, sql},
};

/// When something was tried after a time, the newest first, as many as are asked for.
pub async fn list(db: &impl Read, target: &str, after: Timestamp, limit: i64) -> Result<Vec<Timestamp>> {
    let times: Vec<i64> = db
        .all(sql!(
            "SELECT at
             FROM sign_in_guesses
             WHERE target = $1 AND at > $2
             ORDER BY at DESC
             LIMIT $3",
            target,
            after,
            limit,
        ))
        .await?;
    Ok(times.into_iter().map(Timestamp::from_millis).collect())
}

/// Writes down that a password is tried.
pub async fn insert(tx: &mut Tx, id: i64, target: &str, now: Timestamp) -> Result<()> {
    tx.run(insert!(sign_in_guesses { id, target, at: now })).await?;
    Ok(())
}

/// It was the right one, and is no guess.
pub async fn delete(tx: &mut Tx, id: i64) -> Result<()> {
    tx.run(sql!("DELETE FROM sign_in_guesses WHERE id = $1", id).long()).await?;
    Ok(())
}

/// Forgets what was tried before a time.
pub async fn forget(tx: &mut Tx, before: Timestamp) -> Result<()> {
    tx.run(sql!("DELETE FROM sign_in_guesses WHERE at <= $1", before).long()).await?;
    Ok(())
}
