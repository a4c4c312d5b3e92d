//! Connections of subscribers to the event streams of subjects.

use model::{id::SubjectId, timestamp::Timestamp};

use crate::{
    Read, Result, Tx,
    engine::{
        invalidation::Invalidation,
        statement::{insert, sql},
    },
};

/// The time until which a connection counts, unless it is renewed.
#[derive(Debug, Clone, Copy)]
pub struct Lease {
    /// Until when it counts towards the connection limit of its subject.
    pub open_until: Timestamp,
    /// Until when transient events are recorded for it.
    pub followed_until: Timestamp,
}

/// Counts the open connections of a subject.
pub async fn count_open(db: &dyn Read, subject_id: SubjectId, now: Timestamp) -> Result<i64> {
    let count = db
        .one(sql!(
            "SELECT CAST(COUNT(*) AS BIGINT) FROM stream_connections WHERE subject_id = $1 AND open_until > $2",
            subject_id,
            now,
        ))
        .await?;
    Ok(count.unwrap_or_default())
}

/// Returns the subjects that have subscribers, with their names.
pub async fn list_followed(db: &dyn Read, now: Timestamp) -> Result<Vec<(SubjectId, String)>> {
    db.all(sql!(
        "SELECT DISTINCT s.id, s.name
         FROM stream_connections c
         JOIN subjects s ON s.id = c.subject_id
         WHERE c.followed_until > $1
         ORDER BY s.id",
        now,
    ))
    .await
}

/// Adds a connection.
pub async fn insert(tx: &mut Tx, id: i64, subject_id: SubjectId, lease: Lease) -> Result<()> {
    tx.run(insert!(stream_connections {
        id,
        subject_id,
        open_until: lease.open_until,
        followed_until: lease.followed_until,
    }))
    .await?;
    tx.invalidate(Invalidation::Followed);
    Ok(())
}

/// Updates the lease of an open connection; returns false if it is not open.
pub async fn update(tx: &mut Tx, id: i64, now: Timestamp, lease: Lease) -> Result<bool> {
    let updated = tx
        .run(sql!(
            "UPDATE stream_connections SET open_until = $3, followed_until = $4 WHERE id = $1 AND open_until > $2",
            id,
            now,
            lease.open_until,
            lease.followed_until,
        ))
        .await?;
    Ok(updated == 1)
}

/// Deletes connections for which events are no longer recorded.
pub async fn delete_before(tx: &mut Tx, now: Timestamp) -> Result<()> {
    tx.run(sql!("DELETE FROM stream_connections WHERE followed_until <= $1", now).long()).await?;
    Ok(())
}
