//! Deliveries that succeeded or were given up. They stay for 30 days and can be sent again.

use model::{id::PackageId, timestamp::Timestamp};

use crate::{
    Error, Read, Result, Tx,
    engine::{row::row, statement::sql},
    events::webhook_deliveries::DeliveryState,
};

/// Settles a delivery, and keeps only `keep` settled ones of its webhook.
pub async fn settle(tx: &mut Tx, id: i64, webhook_id: i64, keep: i64) -> Result<()> {
    tx.run(sql!("UPDATE webhook_deliveries SET state = 'settled' WHERE id = $1", id)).await?;
    tx.run(
        sql!(
            "DELETE FROM webhook_deliveries
             WHERE webhook_id = $1 AND state = 'settled'
                 AND id <= (SELECT id FROM webhook_deliveries
                     WHERE webhook_id = $1 AND state = 'settled'
                     ORDER BY id DESC
                     LIMIT 1 OFFSET $2)",
            webhook_id,
            keep,
        )
        .long(),
    )
    .await?;
    Ok(())
}

row! {
    struct StatusRow { state: String, is_active: bool }
}

/// The state of a delivery and of its webhook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeliveryStatus {
    /// The state of the delivery.
    pub state: DeliveryState,
    /// Whether its webhook is active.
    pub is_active: bool,
}

/// Returns the status of a delivery of a package's webhooks; `None` for a test callback, an expired delivery and a
/// delivery of a deleted webhook.
pub async fn find_status(db: &dyn Read, package_id: PackageId, id: i64) -> Result<Option<DeliveryStatus>> {
    let row: Option<StatusRow> = db
        .one(sql!(
            "SELECT d.state, w.is_active
             FROM webhook_deliveries d
             JOIN webhooks w ON w.id = d.webhook_id
             WHERE d.id = $1 AND w.package_id = $2",
            id,
            package_id,
        ))
        .await?;
    let status = |row: StatusRow| match DeliveryState::parse(&row.state) {
        Some(state) => Ok(DeliveryStatus { state, is_active: row.is_active }),
        None => Err(Error::Broken(format!("webhook delivery {id} has a damaged row"))),
    };
    row.map(status).transpose()
}

/// Returns the ids of a package's settled deliveries whose webhooks are active.
pub async fn list(db: &dyn Read, package_id: PackageId) -> Result<Vec<i64>> {
    db.all(sql!(
        "SELECT d.id
         FROM webhooks w
         JOIN webhook_deliveries d ON d.webhook_id = w.id
         WHERE w.package_id = $1 AND w.is_active AND d.state = 'settled'
         ORDER BY d.id",
        package_id,
    ))
    .await
}

/// Makes a settled delivery due, as if it had never been attempted; returns whether it was settled.
pub async fn requeue(tx: &mut Tx, id: i64, now: Timestamp) -> Result<bool> {
    let requeued = tx
        .run(sql!(
            "UPDATE webhook_deliveries SET state = 'pending', attempts = 0, due = $2 WHERE id = $1 AND state = 'settled'",
            id,
            now,
        ))
        .await?;
    Ok(requeued == 1)
}
