//! Events, for subscribers: each is a row written in the same transaction as its cause.

pub mod attention;
pub mod settled_deliveries;
pub mod stream_connections;
pub mod webhook_attempts;
pub mod webhook_deliveries;
#[cfg(test)]
mod webhook_events_tests;
pub mod webhooks;

use model::{
    event::{Event, EventKind},
    id::SubjectId,
    timestamp::Timestamp,
};

use crate::{
    Read, Result, Tx,
    engine::{
        keys,
        row::row,
        statement::{insert, select, sql},
    },
};

row! {
    struct EventRow {
        id: i64, subject_id: SubjectId, at: i64, kind: String, repo: String, package: String, version: String,
        path: Option<String>, actor: String, address: String, agent: Option<String>, detail: Option<String>,
    }
}

impl EventRow {
    /// Returns the event if this program knows its kind.
    fn read(self) -> Option<Event> {
        Some(Event {
            id: self.id,
            subject_id: self.subject_id,
            at: Timestamp::from_millis(self.at),
            kind: EventKind::parse(&self.kind)?,
            repo: self.repo,
            package: self.package,
            version: self.version,
            path: self.path,
            actor: self.actor,
            address: self.address,
            agent: self.agent,
            detail: self.detail,
        })
    }
}

/// Records an event.
pub async fn insert(tx: &mut Tx, event: &Event) -> Result<()> {
    tx.run(insert!(events {
        id: event.id,
        subject_id: event.subject_id,
        at: event.at,
        kind: event.kind.as_str(),
        repo: &event.repo,
        package: &event.package,
        version: &event.version,
        path: event.path.as_deref(),
        actor: &event.actor,
        address: &event.address,
        agent: event.agent.as_deref(),
        detail: event.detail.as_deref(),
    }))
    .await?;
    Ok(())
}

/// Returns whether a later event than `after` has the same kind, actor and address as this one.
pub async fn was_recorded(db: &dyn Read, event: &Event, after: i64) -> Result<bool> {
    let found: Option<i64> = db
        .one(sql!(
            "SELECT id
             FROM events
             WHERE subject_id = $1 AND id > $2 AND kind = $3 AND actor = $4 AND address = $5
             ORDER BY id
             LIMIT 1",
            event.subject_id,
            after,
            event.kind.as_str(),
            &event.actor,
            &event.address,
        ))
        .await?;
    Ok(found.is_some())
}

/// Returns the ids of a subject's events after an id, in order.
pub async fn list_ids(db: &dyn Read, subject_id: SubjectId, after: i64, limit: i64) -> Result<Vec<i64>> {
    db.all(sql!(
        "SELECT id FROM events WHERE subject_id = $1 AND id > $2 ORDER BY id LIMIT $3",
        subject_id,
        after,
        limit,
    ))
    .await
}

/// Returns the events with these ids, in order.
pub async fn list(db: &dyn Read, ids: &[i64]) -> Result<Vec<Event>> {
    let statement = select!(
        EventRow,
        "FROM events
         WHERE id IN ($keys)
         ORDER BY id"
    );
    let rows = keys::all::<EventRow>(db, statement, ids).await?;
    Ok(rows.into_iter().filter_map(EventRow::read).collect())
}

/// Counts the events of a kind that a subject has.
pub async fn count(db: &dyn Read, subject_id: SubjectId, kind: EventKind) -> Result<i64> {
    let count = db
        .one(sql!(
            "SELECT CAST(COUNT(*) AS BIGINT) FROM events WHERE subject_id = $1 AND kind = $2",
            subject_id,
            kind.as_str(),
        ))
        .await?;
    Ok(count.unwrap_or_default())
}

/// Deletes up to `limit` events with smaller ids, and returns their number.
pub async fn delete_before(tx: &mut Tx, id: i64, limit: i64) -> Result<u64> {
    tx.run(
        sql!("DELETE FROM events WHERE id IN (SELECT id FROM events WHERE id < $1 ORDER BY id LIMIT $2)", id, limit,)
            .long(),
    )
    .await
}

/// Like [`delete_before`], for events before a time that matter only while they happen: downloads and sign-ins.
pub async fn delete_transient_before(tx: &mut Tx, time: Timestamp, limit: i64) -> Result<u64> {
    tx.run(
        sql!(
            "DELETE FROM events
         WHERE id IN (
             SELECT id
             FROM events
             WHERE (kind = 'download' OR kind = 'login_success' OR kind = 'login_failure') AND at < $1
             ORDER BY at
             LIMIT $2
         )",
            time,
            limit,
        )
        .long(),
    )
    .await
}
