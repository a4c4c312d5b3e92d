//! The outcome of a callback.

use database::{
    Tx,
    events::{
        webhook_attempts::{self, Attempt},
        webhook_deliveries, webhooks,
    },
};
use model::{audit::NewAuditRecord, id::PackageId, timestamp::Timestamp};

use crate::{House, Result, audit::record, events::webhooks::history::RETAINED};

/// The actor in the audit log when a webhook is switched off because of failures.
const ACTOR: &str = "(webhooks)";

/// The outcome of a callback.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryOutcome {
    /// The status of the answer, if one arrived.
    pub status: Option<u16>,
    /// The duration.
    pub duration_ms: i64,
    /// The reason of the failure; `None` for a success.
    pub error: Option<String>,
}

impl DeliveryOutcome {
    /// The outcome of a callback that was not sent.
    pub(super) fn unsent(reason: impl Into<String>) -> Self {
        Self { status: None, duration_ms: 0, error: Some(reason.into()) }
    }

    /// Returns whether the receiver has accepted it.
    pub fn is_success(&self) -> bool {
        self.error.is_none()
    }
}

/// Identifies a callback.
pub(super) struct DeliveryRef<'t> {
    pub(super) package_id: PackageId,
    pub(super) delivery_id: i64,
    pub(super) version: &'t str,
    pub(super) at: Timestamp,
}

/// Stores an outcome in the list of the last attempts.
pub(super) async fn remember(
    tx: &mut Tx,
    house: &House,
    told: &DeliveryRef<'_>,
    outcome: &DeliveryOutcome,
) -> Result<()> {
    let attempt = Attempt {
        id: house.next_id(),
        package_id: told.package_id,
        delivery_id: told.delivery_id,
        version: told.version.to_owned(),
        status: outcome.status.map(i64::from),
        duration_ms: outcome.duration_ms,
        error: outcome.error.clone(),
        at: told.at,
    };
    Ok(webhook_attempts::insert(tx, &attempt, RETAINED).await?)
}

/// Counts an outcome for a webhook. A failure above the limit switches the webhook off and parks its pending
/// deliveries.
pub(super) async fn count(tx: &mut Tx, house: &House, id: i64, outcome: &DeliveryOutcome) -> Result<bool> {
    if outcome.is_success() {
        webhooks::succeed(tx, id).await?;
        return Ok(false);
    }
    let standing = webhooks::fail(tx, id, house.policy.webhook_failures).await?;
    // A webhook that was off before counts as well.
    let is_off = standing.as_ref().is_none_or(|standing| !standing.is_active);
    if is_off {
        webhook_deliveries::park(tx, id).await?;
    }
    Ok(standing.is_some() && is_off)
}

/// Records in the audit log that a webhook was switched off. This must be the last write of a transaction.
pub(super) async fn record_end(tx: &mut Tx, house: &House, package: &str) -> Result<()> {
    let entry = NewAuditRecord {
        at: house.clock.now(),
        actor: ACTOR.to_owned(),
        action: "webhook.deactivate",
        target: package.to_owned(),
        detail: format!("{} failures in a row", house.policy.webhook_failures),
        address: "server".to_owned(),
        request_id: String::new(),
    };
    record(tx, &entry).await
}
