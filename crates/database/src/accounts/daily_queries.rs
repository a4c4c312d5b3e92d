//! The number of counted queries that a user has made on a day.

use model::id::SubjectId;

use crate::{Read, Result, Tx, engine::statement::sql};

/// Counts one query, unless the limit is reached. Returns the new count, or `None` at the limit.
pub async fn count_one(tx: &mut Tx, user_id: SubjectId, day: i64, limit: i64) -> Result<Option<i64>> {
    tx.one(sql!(
        "INSERT INTO daily_queries (day, user_id, count)
         VALUES ($1, $2, 1)
         ON CONFLICT (day, user_id) DO UPDATE SET count = daily_queries.count + 1
             WHERE daily_queries.count < $3
         RETURNING count",
        day,
        user_id,
        limit,
    ))
    .await
}

/// Returns the number of queries on a day.
pub async fn find(db: &dyn Read, user_id: SubjectId, day: i64) -> Result<i64> {
    let count = db.one(sql!("SELECT count FROM daily_queries WHERE day = $1 AND user_id = $2", day, user_id)).await?;
    Ok(count.unwrap_or_default())
}

/// Deletes the counts of earlier days.
pub async fn delete_before(tx: &mut Tx, day: i64) -> Result<()> {
    tx.run(sql!("DELETE FROM daily_queries WHERE day < $1", day).long()).await?;
    Ok(())
}
