//! What came of callbacks: the last ones of each package.

use model::timestamp::Timestamp;

use crate::{
    Read, Result, Tx,
    engine::{
        row::row,
        statement::{select, sql},
    },
};

/// A callback that was tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// Its key in the database, in the order of time.
    pub id: i64,
    /// The key of the package.
    pub package_id: i64,
    /// The key of the event that it told.
    pub delivery_id: i64,
    /// The version's name.
    pub version: String,
    /// The status of the answer, where there was one.
    pub status: Option<i64>,
    /// How long it took.
    pub duration_ms: i64,
    /// What went wrong.
    pub error: Option<String>,
    /// When.
    pub at: Timestamp,
}

row! {
    struct AttemptRow {
        id: i64, package_id: i64, delivery_id: i64, version: String, status: Option<i64>, duration_ms: i64,
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

/// Adds an attempt, and leaves so many of the package's. One whose package has gone is passed over.
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

/// The attempts of a package, the newest first.
pub async fn list(db: &impl Read, package_id: i64, limit: i64) -> Result<Vec<Attempt>> {
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

/// Forgets attempts whose key is below this one, some at once; says how many.
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
