//! Password attempts: one row for each, by the target it counts for, until the password turns out to be right or the
//! row expires.

use model::timestamp::Timestamp;

use crate::{
    Read, Result, Tx,
    engine::statement::{insert, sql},
};

/// Returns the times of the attempts after a time, newest first, up to a limit.
pub async fn list(db: &dyn Read, target: &str, after: Timestamp, limit: i64) -> Result<Vec<Timestamp>> {
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

/// Records that a password is tried.
pub async fn insert(tx: &mut Tx, id: i64, target: &str, now: Timestamp) -> Result<()> {
    tx.run(insert!(sign_in_guesses { id, target, at: now })).await?;
    Ok(())
}

/// Deletes an attempt whose password was right, so that it does not count as a guess.
pub async fn delete(tx: &mut Tx, id: i64) -> Result<()> {
    tx.run(sql!("DELETE FROM sign_in_guesses WHERE id = $1", id).long()).await?;
    Ok(())
}

/// Deletes attempts from before a time.
pub async fn delete_expired(tx: &mut Tx, before: Timestamp) -> Result<()> {
    tx.run(sql!("DELETE FROM sign_in_guesses WHERE at <= $1", before).long()).await?;
    Ok(())
}
