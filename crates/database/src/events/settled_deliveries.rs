//! Events that are over: told, or given up. They are kept for a while, and can be told once more.

use model::timestamp::Timestamp;

use crate::{
    Read, Result, Tx,
    engine::{row::row, statement::sql},
    events::webhook_deliveries::SETTLED,
};

/// Lays an event aside that was told, or that nobody tells any more, and leaves so many of the hook's.
pub async fn settle(tx: &mut Tx, id: i64, webhook_id: i64, keep: i64) -> Result<()> {
    tx.run(sql!("UPDATE webhook_deliveries SET due = $2 WHERE id = $1", id, SETTLED)).await?;
    tx.run(sql!(
        "DELETE FROM webhook_deliveries
         WHERE webhook_id = $1 AND due = $2
             AND id <= (SELECT id FROM webhook_deliveries
                 WHERE webhook_id = $1 AND due = $2
                 ORDER BY id DESC
                 LIMIT 1 OFFSET $3)",
        webhook_id,
        SETTLED,
        keep,
    ))
    .await?;
    Ok(())
}

row! {
    struct StateRow { due: i64, is_active: bool }
}

/// What can be done with an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeliveryState {
    /// It is over, and its hook would take it again.
    Settled,
    /// It has still to be told.
    Waiting,
    /// Its hook is off.
    Off,
}

/// The state of an event of a package's hooks; `None` when it was a test, is forgotten, or its hook has gone.
pub async fn find_state(db: &impl Read, package_id: i64, id: i64) -> Result<Option<DeliveryState>> {
    let row: Option<StateRow> = db
        .one(sql!(
            "SELECT d.due, w.is_active
             FROM webhook_deliveries d
             JOIN webhooks w ON w.id = d.webhook_id
             WHERE d.id = $1 AND w.package_id = $2",
            id,
            package_id,
        ))
        .await?;
    Ok(row.map(|row| match (row.is_active, row.due) {
        (false, _) => DeliveryState::Off,
        (true, SETTLED) => DeliveryState::Settled,
        (true, _) => DeliveryState::Waiting,
    }))
}

/// The keys of a package's events that are over and that its hooks would take again.
pub async fn list(db: &impl Read, package_id: i64) -> Result<Vec<i64>> {
    db.all(sql!(
        "SELECT d.id
         FROM webhooks w
         JOIN webhook_deliveries d ON d.webhook_id = w.id
         WHERE w.package_id = $1 AND w.is_active AND d.due = $2
         ORDER BY d.id",
        package_id,
        SETTLED,
    ))
    .await
}

/// Makes an event due that is over, as if it had never been tried; says whether it was over.
pub async fn requeue(tx: &mut Tx, id: i64, now: Timestamp) -> Result<bool> {
    let revived = tx
        .run(sql!("UPDATE webhook_deliveries SET attempts = 0, due = $2 WHERE id = $1 AND due = $3", id, now, SETTLED))
        .await?;
    Ok(revived == 1)
}
