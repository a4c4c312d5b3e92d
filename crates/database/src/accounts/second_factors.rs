//! The second factors of users: the sealed secret of their codes, and the keyed hashes of their recovery codes.

use model::{id::SubjectId, timestamp::Timestamp};

use crate::{
    Read, Result, Tx,
    engine::{
        row::row,
        statement::{insert, select, sql},
    },
};

/// The second factor of a user.
#[derive(Debug, Clone)]
pub struct SecondFactor {
    /// The secret, sealed.
    pub sealed_secret: String,
    /// The last time step whose code was used.
    pub last_step: i64,
    /// When the user confirmed it with a code; `None` until then.
    pub confirmed: Option<Timestamp>,
}

row! {
    struct SecondFactorRow { sealed_secret: String, last_step: i64, confirmed: Option<i64> }
}

/// Returns the second factor of a user, confirmed or not.
pub async fn find(db: &dyn Read, user_id: SubjectId) -> Result<Option<SecondFactor>> {
    let row: Option<SecondFactorRow> =
        db.one(select!(SecondFactorRow, "FROM second_factors WHERE user_id = $1", user_id)).await?;
    Ok(row.map(|row| SecondFactor {
        sealed_secret: row.sealed_secret,
        last_step: row.last_step,
        confirmed: row.confirmed.map(Timestamp::from_millis),
    }))
}

/// Returns whether a user has a confirmed one.
pub async fn is_confirmed(db: &dyn Read, user_id: SubjectId) -> Result<bool> {
    Ok(find(db, user_id).await?.is_some_and(|factor| factor.confirmed.is_some()))
}

/// Adds a second factor that is not confirmed yet, in place of an earlier one that never was.
pub async fn insert(tx: &mut Tx, user_id: SubjectId, sealed_secret: &str, now: Timestamp) -> Result<()> {
    tx.run(insert!(
        second_factors { user_id, sealed_secret, last_step: 0, created: now },
        "ON CONFLICT (user_id) DO UPDATE
         SET sealed_secret = excluded.sealed_secret, last_step = 0, created = excluded.created
         WHERE second_factors.confirmed IS NULL",
    ))
    .await?;
    Ok(())
}

/// Confirms the second factor of a user.
pub async fn confirm(tx: &mut Tx, user_id: SubjectId, now: Timestamp) -> Result<()> {
    tx.run(sql!("UPDATE second_factors SET confirmed = $2 WHERE user_id = $1", user_id, now)).await?;
    Ok(())
}

/// Records that the code of a time step is used; returns false if it was, or if a later one was.
pub async fn use_step(tx: &mut Tx, user_id: SubjectId, step: i64) -> Result<bool> {
    let statement =
        sql!("UPDATE second_factors SET last_step = $2 WHERE user_id = $1 AND last_step < $2", user_id, step);
    Ok(tx.run(statement).await? > 0)
}

/// Removes the second factor of a user with its recovery codes; returns whether it was confirmed.
pub async fn delete(tx: &mut Tx, user_id: SubjectId) -> Result<bool> {
    let was_confirmed = is_confirmed(tx, user_id).await?;
    tx.run(sql!("DELETE FROM second_factors WHERE user_id = $1", user_id).long()).await?;
    tx.run(sql!("DELETE FROM recovery_codes WHERE user_id = $1", user_id).long()).await?;
    Ok(was_confirmed)
}

/// Replaces the recovery codes of a user.
pub async fn replace_codes(tx: &mut Tx, user_id: SubjectId, hashes: &[String]) -> Result<()> {
    tx.run(sql!("DELETE FROM recovery_codes WHERE user_id = $1", user_id).long()).await?;
    for hash in hashes {
        tx.run(insert!(recovery_codes { user_id, hash })).await?;
    }
    Ok(())
}

/// Uses up a recovery code; returns false if the user has none with this hash.
pub async fn use_code(tx: &mut Tx, user_id: SubjectId, hash: &str) -> Result<bool> {
    let statement = sql!("DELETE FROM recovery_codes WHERE user_id = $1 AND hash = $2", user_id, hash).long();
    Ok(tx.run(statement).await? > 0)
}

/// Counts the recovery codes that a user has left.
pub async fn count_codes(db: &dyn Read, user_id: SubjectId) -> Result<i64> {
    let count = db.one(sql!("SELECT CAST(COUNT(*) AS BIGINT) FROM recovery_codes WHERE user_id = $1", user_id)).await?;
    Ok(count.unwrap_or_default())
}

row! {
    /// A sealed secret, and its user.
    pub struct Sealed {
        /// The id of the user.
        id: i64 = "user_id",
        /// The text.
        text: String = "sealed_secret",
    }
}

/// Returns some of the sealed secrets, by user.
pub async fn list_sealed(db: &dyn Read, after_id: i64, limit: i64) -> Result<Vec<Sealed>> {
    db.all(select!(Sealed, "FROM second_factors WHERE user_id > $1 ORDER BY user_id LIMIT $2", after_id, limit)).await
}

/// Replaces the sealed secret of a user.
pub async fn update_sealed(tx: &mut Tx, user_id: i64, sealed_secret: &str) -> Result<()> {
    tx.run(sql!("UPDATE second_factors SET sealed_secret = $2 WHERE user_id = $1", user_id, sealed_secret)).await?;
    Ok(())
}
