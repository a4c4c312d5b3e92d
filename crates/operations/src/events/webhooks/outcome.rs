//! What came of a callback.

use database::{
    Tx,
    events::{
        webhook_attempts::{self, Attempt},
        webhook_deliveries, webhooks,
    },
    maintenance::audit::NewAuditRecord,
};
use model::timestamp::Timestamp;

use crate::{House, Result, audit::record, events::webhooks::history::KEEP};

/// What the audit log calls whoever switches a hook off so.
const ACTOR: &str = "(webhooks)";

/// What came of a callback.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryOutcome {
    /// The status of the answer, where there was one.
    pub status: Option<u16>,
    /// How long it took.
    pub duration_ms: i64,
    /// What went wrong; `None` when it was a success.
    pub error: Option<String>,
}

impl DeliveryOutcome {
    /// A callback that was not sent.
    pub(super) fn unsent(reason: impl Into<String>) -> Self {
        Self { status: None, duration_ms: 0, error: Some(reason.into()) }
    }

    /// Whether the receiver has taken it.
    pub fn is_success(&self) -> bool {
        self.error.is_none()
    }
}

/// Which callback it was.
pub(super) struct DeliveryRef<'t> {
    pub(super) package_id: i64,
    pub(super) delivery_id: i64,
    pub(super) version: &'t str,
    pub(super) at: Timestamp,
}

/// Keeps an outcome for the list of the last ones.
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
    Ok(webhook_attempts::insert(tx, &attempt, KEEP).await?)
}

/// Counts an outcome for a hook. The failure that is one too many switches it off, and all that waits for it waits longer.
pub(super) async fn count(tx: &mut Tx, house: &House, id: i64, outcome: &DeliveryOutcome) -> Result<bool> {
    if outcome.is_success() {
        webhooks::succeed(tx, id).await?;
        return Ok(false);
    }
    let standing = webhooks::fail(tx, id, house.policy.webhook_failures).await?;
    // One that was off before is off as well.
    let is_off = standing.as_ref().is_none_or(|standing| !standing.is_active);
    if is_off {
        webhook_deliveries::park(tx, id).await?;
    }
    Ok(standing.is_some() && is_off)
}

/// Writes down that a hook was switched off. The last thing of a transaction.
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
