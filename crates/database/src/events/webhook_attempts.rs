//! Attempts to send callbacks: the last ones of each package.

use model::{id::PackageId, timestamp::Timestamp};

use crate::{
    Read, Result, Tx,
    engine::{
        row::row,
        statement::{select, sql},
    },
};

/// An attempt to send a callback.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// Its database id; ids are in chronological order.
    pub id: i64,
    /// The id of the package.
    pub package_id: PackageId,
    /// The id of its delivery.
    pub delivery_id: i64,
    /// The version's name.
    pub version: String,
    /// The HTTP status of the response, if there was one.
    pub status: Option<i64>,
    /// Its duration.
    pub duration_ms: i64,
    /// The error, if it failed.
    pub error: Option<String>,
    /// When it was made.
    pub at: Timestamp,
}

row! {
    struct AttemptRow {
        id: i64, package_id: PackageId, delivery_id: i64, version: String, status: Option<i64>, duration_ms: i64,
        error: Option<String>, at: i64,
    }
}

impl From<AttemptRow> for Attempt {
    fn from(row: AttemptRow) -> Self {
        Attempt {
            id: row.id,
            package_id: row.package_id,
            delivery_id: row.delivery_id,
            version: row.version,
            status: row.status,
            duration_ms: row.duration_ms,
            error: row.error,
            at: Timestamp::from_millis(row.at),
        }
    }
}

/// Adds an attempt, and keeps only `keep` attempts of the package. Ignores an attempt whose package was deleted.
pub async fn insert(tx: &mut Tx, attempt: &Attempt, keep: i64) -> Result<()> {
    tx.run(sql!(
        "INSERT INTO webhook_attempts (id, package_id, delivery_id, version, status, duration_ms, error, at)
         SELECT $1, p.id, $3, $4, $5, $6, $7, $8
         FROM packages p
         WHERE p.id = $2",
        attempt.id,
        attempt.package_id,
        attempt.delivery_id,
        &attempt.version,
        attempt.status,
        attempt.duration_ms,
        attempt.error.as_deref(),
        attempt.at,
    ))
    .await?;
    tx.run(
        sql!(
            "DELETE FROM webhook_attempts
         WHERE package_id = $1
             AND id <= (SELECT id FROM webhook_attempts WHERE package_id = $1 ORDER BY id DESC LIMIT 1 OFFSET $2)",
            attempt.package_id,
            keep,
        )
        .long(),
    )
    .await?;
    Ok(())
}

/// Returns the attempts of a package, newest first.
pub async fn list(db: &dyn Read, package_id: PackageId, limit: i64) -> Result<Vec<Attempt>> {
    let rows: Vec<AttemptRow> = db
        .all(select!(
            AttemptRow,
            "FROM webhook_attempts
             WHERE package_id = $1
             ORDER BY id DESC
             LIMIT $2",
            package_id,
            limit,
        ))
        .await?;
    Ok(rows.into_iter().map(Attempt::from).collect())
}

/// Deletes up to `limit` attempts with smaller ids, and returns their number.
pub async fn delete_before(tx: &mut Tx, id: i64, limit: i64) -> Result<u64> {
    tx.run(
        sql!(
            "DELETE FROM webhook_attempts
         WHERE id IN (SELECT id FROM webhook_attempts WHERE id < $1 ORDER BY id LIMIT $2)",
            id,
            limit,
        )
        .long(),
    )
    .await
}
