//! The outcomes of the last callbacks.

use database::{
    ScopedFutureExt,
    events::{
        settled_deliveries,
        webhook_attempts::{self, Attempt},
        webhook_deliveries,
    },
};
use model::{access::Right, address::PackageAddress, timestamp::Timestamp};

use crate::{
    Caller, Error, House, Result, access,
    events::webhooks::{callback, outcome::DeliveryOutcome},
    ids,
};

/// The number of attempts stored per package.
pub(super) const RETAINED: i64 = 100;

/// How long attempts are stored.
const RETENTION_MS: i64 = 30 * 24 * 3_600_000;

/// The number of rows deleted together.
const DELETED_AT_ONCE: i64 = 500;

/// An attempt to send a callback.
#[derive(Debug, Clone)]
pub struct DeliveryAttempt {
    /// The id of the delivery that the receiver got; the same at each attempt.
    pub event: String,
    /// The version of its event.
    pub version: String,
    /// Its outcome.
    pub outcome: DeliveryOutcome,
    /// The time.
    pub at: Timestamp,
    /// Whether the delivery can be sent again.
    pub can_replay: bool,
}

/// Lists the last attempts of a package, newest first, for users who may publish in it.
#[boxed::future]
pub async fn list_deliveries(house: &House, caller: &Caller, at: &PackageAddress) -> Result<Vec<DeliveryAttempt>> {
    let package = access::package(&house.db, caller, at, Right::Publish).await?.package;
    access::identity(caller)?;
    let attempts = webhook_attempts::list(&house.db, package.id, RETAINED).await?;
    let settled = settled_deliveries::list(&house.db, package.id).await?;
    Ok(attempts.into_iter().map(|attempt| DeliveryAttempt::new(attempt, &settled)).collect())
}

impl DeliveryAttempt {
    fn new(attempt: Attempt, settled: &[i64]) -> Self {
        let status = attempt.status.and_then(|status| u16::try_from(status).ok());
        Self {
            event: callback::name(attempt.delivery_id),
            version: attempt.version,
            outcome: DeliveryOutcome { status, duration_ms: attempt.duration_ms, error: attempt.error },
            at: attempt.at,
            can_replay: settled.binary_search(&attempt.delivery_id).is_ok(),
        }
    }
}

/// Deletes expired attempts, deliveries settled before then, and those of webhooks that have been off for as long.
pub(crate) async fn delete_expired(house: &House) -> Result<()> {
    let before = ids::before(Timestamp::from_millis(house.clock.now().millis() - RETENTION_MS));
    loop {
        let deleted = house.db.write(|tx| {
            async move {
                let attempts = webhook_attempts::delete_before(tx, before, DELETED_AT_ONCE).await?;
                let events = webhook_deliveries::delete_idle_before(tx, before, DELETED_AT_ONCE).await?;
                Ok::<_, Error>(attempts + events)
            }
            .scope_boxed()
        });
        if deleted.await? == 0 {
            return Ok(());
        }
    }
}
