//! Webhook deliveries: recorded in the same transaction as their event, and leased by the node that sends them.

use model::{
    id::{PackageId, SubjectId},
    timestamp::Timestamp,
    webhook::Method,
    webhook_event::WebhookEvent,
};

use crate::{
    Error, Read, Result, Tx,
    engine::{
        row::row,
        statement::{RowLock, sql},
    },
    events::webhooks,
};

/// The state of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeliveryState {
    /// It is sent when it is due.
    Pending,
    /// Its webhook is inactive. It becomes pending when the webhook is registered again.
    Parked,
    /// It succeeded or was given up, and can be sent again.
    Settled,
}

impl DeliveryState {
    pub(crate) fn parse(text: &str) -> Option<Self> {
        match text {
            "pending" => Some(DeliveryState::Pending),
            "parked" => Some(DeliveryState::Parked),
            "settled" => Some(DeliveryState::Settled),
            _ => None,
        }
    }
}

/// A delivery to a webhook.
#[derive(Debug, Clone)]
pub struct Delivery {
    /// Its database id.
    pub id: i64,
    /// The id of the webhook.
    pub webhook_id: i64,
    /// The event that it reports.
    pub event: WebhookEvent,
    /// The version's name.
    pub version: String,
    /// The body to send.
    pub payload: String,
    /// When it is due.
    pub due: Timestamp,
}

/// A lease on a webhook: its holder sends the next delivery, and no other node does until it expires.
#[derive(Debug, Clone, Copy)]
pub struct DeliveryLease {
    /// A token that is unique to the lease.
    pub token: i64,
    /// When it expires.
    pub until: Timestamp,
}

/// A leased delivery that is about to be sent, with all necessary data.
#[derive(Debug, Clone)]
pub struct LeasedDelivery {
    /// The token of the lease.
    pub token: i64,
    /// The id of the delivery.
    pub id: i64,
    /// The id of the webhook.
    pub webhook_id: i64,
    /// The event that it reports.
    pub event: WebhookEvent,
    /// The version's name.
    pub version: String,
    /// The body to send.
    pub payload: String,
    /// The number of earlier attempts.
    pub attempts: i64,
    /// The URL of the webhook, as registered.
    pub url: String,
    /// The HTTP method.
    pub method: Method,
    /// The MAC of the package's name, made with the user's API key; sealed.
    pub sealed_mac: String,
    /// The secret that signs callbacks, sealed.
    pub sealed_secret: String,
    /// The id of the user who registered the webhook.
    pub user_id: SubjectId,
    /// The id of the package.
    pub package_id: PackageId,
    /// The names of the owner, the repository and the package.
    pub names: [String; 3],
}

row! {
    struct LeasedRow {
        id: i64, event: String, version: String, payload: String, attempts: i64, url: String, method: String,
        sealed_mac: String, sealed_secret: String, user_id: SubjectId, package_id: PackageId, owner: String, repo: String,
        package: String,
    }
}

/// Adds a pending delivery.
pub async fn insert(tx: &mut Tx, delivery: &Delivery) -> Result<()> {
    tx.run(sql!(
        "INSERT INTO webhook_deliveries (id, webhook_id, event, version, payload, attempts, due, state)
         VALUES ($1, $2, $3, $4, $5, 0, $6, 'pending')",
        delivery.id,
        delivery.webhook_id,
        delivery.event.as_str(),
        &delivery.version,
        &delivery.payload,
        delivery.due,
    ))
    .await?;
    Ok(())
}

/// Counts the pending deliveries of a webhook, up to a limit.
pub async fn count_pending(db: &dyn Read, webhook_id: i64, limit: i64) -> Result<i64> {
    let count = db
        .one(sql!(
            "SELECT CAST(COUNT(*) AS BIGINT)
             FROM (
                 SELECT d.id
                 FROM webhook_deliveries d
                 WHERE d.webhook_id = $1 AND d.state = 'pending'
                 ORDER BY d.due, d.id
                 LIMIT $2
             ) pending",
            webhook_id,
            limit,
        ))
        .await?;
    Ok(count.unwrap_or_default())
}

/// Counts the pending deliveries of all webhooks, up to a limit.
pub async fn count_all_pending(db: &dyn Read, limit: i64) -> Result<i64> {
    let count = db
        .one(sql!(
            "SELECT CAST(COUNT(*) AS BIGINT)
             FROM (
                 SELECT d.id
                 FROM webhook_deliveries d
                 WHERE d.state = 'pending'
                 LIMIT $1
             ) pending",
            limit,
        ))
        .await?;
    Ok(count.unwrap_or_default())
}

/// Returns some webhooks that have a delivery due and no lease, those that wait longest first. Reads only the first due
/// deliveries: a webhook with many of them is leased soon, and then others come up.
pub async fn list_due_hooks(db: &dyn Read, now: Timestamp, limit: i64) -> Result<Vec<i64>> {
    db.all(sql!(
        "SELECT first.webhook_id
         FROM (
             SELECT d.webhook_id, d.due
             FROM webhook_deliveries d
             WHERE d.state = 'pending' AND d.due <= $1
                 AND EXISTS (SELECT 1 FROM webhooks w
                     WHERE w.id = d.webhook_id AND w.is_active AND w.claimed_until <= $1)
             ORDER BY d.due, d.webhook_id
             LIMIT 1000
         ) first
         GROUP BY first.webhook_id
         ORDER BY MIN(first.due), first.webhook_id
         LIMIT $2",
        now,
        limit,
    ))
    .await
}

/// Leases a webhook and takes the delivery that is due first; `None` if another node was faster.
pub async fn lease(
    tx: &mut Tx,
    webhook_id: i64,
    lease: DeliveryLease,
    now: Timestamp,
) -> Result<Option<LeasedDelivery>> {
    let free = sql!("SELECT id FROM webhooks WHERE id = $1 AND is_active AND claimed_until <= $2", webhook_id, now);
    // Uploads lock their webhooks against deletion until they commit; such webhooks must not be skipped.
    let free: Option<i64> = tx.one(free.locking(RowLock::SkipLockedNoKey)).await?;
    if free.is_none() {
        return Ok(None);
    }
    // Read only after the lock is taken: before, another node may have sent the delivery that was due.
    let Some(row) = first_due(tx, webhook_id, now).await? else { return Ok(None) };
    tx.run(sql!(
        "UPDATE webhooks SET claim = $2, claimed_until = $3 WHERE id = $1",
        webhook_id,
        lease.token,
        lease.until
    ))
    .await?;
    Ok(Some(LeasedDelivery {
        token: lease.token,
        id: row.id,
        webhook_id,
        event: event(row.id, &row.event)?,
        version: row.version,
        payload: row.payload,
        attempts: row.attempts,
        url: row.url,
        method: webhooks::method(webhook_id, &row.method)?,
        sealed_mac: row.sealed_mac,
        sealed_secret: row.sealed_secret,
        user_id: row.user_id,
        package_id: row.package_id,
        names: [row.owner, row.repo, row.package],
    }))
}

fn event(id: i64, name: &str) -> Result<WebhookEvent> {
    WebhookEvent::parse(name).ok_or_else(|| Error::Broken(format!("webhook delivery {id} has a damaged row")))
}

async fn first_due(tx: &mut Tx, webhook_id: i64, now: Timestamp) -> Result<Option<LeasedRow>> {
    tx.one(sql!(
        "SELECT d.id, d.event, d.version, d.payload, d.attempts, w.url, w.method, w.sealed_mac, w.sealed_secret,
             w.user_id, w.package_id, s.name, r.name, p.name
         FROM webhook_deliveries d
         JOIN webhooks w ON w.id = d.webhook_id
         JOIN packages p ON p.id = w.package_id
         JOIN repos r ON r.id = w.repo_id
         JOIN subjects s ON s.id = r.owner_id
         WHERE d.webhook_id = $1 AND d.state = 'pending' AND d.due <= $2
         ORDER BY d.due, d.id
         LIMIT 1",
        webhook_id,
        now,
    ))
    .await
}

/// Releases the lease on a webhook; returns false if the lease had expired, or the webhook was deleted.
pub async fn release(tx: &mut Tx, webhook_id: i64, token: i64) -> Result<bool> {
    let released =
        tx.run(sql!("UPDATE webhooks SET claimed_until = 0 WHERE id = $1 AND claim = $2", webhook_id, token)).await?;
    Ok(released == 1)
}

/// Postpones a delivery and records its number of attempts.
pub async fn postpone(tx: &mut Tx, id: i64, attempts: i64, due: Timestamp) -> Result<()> {
    tx.run(sql!("UPDATE webhook_deliveries SET attempts = $2, due = $3 WHERE id = $1", id, attempts, due)).await?;
    Ok(())
}

/// Parks the pending deliveries of a webhook that has become inactive.
pub async fn park(tx: &mut Tx, webhook_id: i64) -> Result<()> {
    tx.run(sql!(
        "UPDATE webhook_deliveries SET state = 'parked' WHERE webhook_id = $1 AND state = 'pending'",
        webhook_id,
    ))
    .await?;
    Ok(())
}

/// Makes the parked deliveries of a webhook due that is active again.
pub async fn unpark(tx: &mut Tx, webhook_id: i64, now: Timestamp) -> Result<()> {
    tx.run(sql!(
        "UPDATE webhook_deliveries SET state = 'pending', due = $2 WHERE webhook_id = $1 AND state = 'parked'",
        webhook_id,
        now,
    ))
    .await?;
    Ok(())
}

/// Deletes up to `limit` settled and parked deliveries with smaller ids, and returns their number.
pub async fn delete_idle_before(tx: &mut Tx, id: i64, limit: i64) -> Result<u64> {
    tx.run(
        sql!(
            "DELETE FROM webhook_deliveries
             WHERE id IN (
                 SELECT id
                 FROM webhook_deliveries
                 WHERE id < $1 AND (state = 'parked' OR state = 'settled')
                 ORDER BY id
                 LIMIT $2
             )",
            id,
            limit,
        )
        .long(),
    )
    .await
}
