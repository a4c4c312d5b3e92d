//! What came of the last callbacks.

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

/// Callbacks of a package that are remembered.
pub(super) const KEEP: i64 = 100;

/// How long they are.
const KEEP_MS: i64 = 30 * 24 * 3_600_000;

/// Rows that are forgotten together.
const FORGOTTEN: i64 = 500;

/// A callback that was tried.
#[derive(Debug, Clone)]
pub struct DeliveryAttempt {
    /// What the receiver was told that the event is called; the same at each try.
    pub event: String,
    /// The version that it told of.
    pub version: String,
    /// What came of it.
    pub outcome: DeliveryOutcome,
    /// When.
    pub at: Timestamp,
    /// Whether the event can be told once more.
    pub can_replay: bool,
}

/// The last callbacks of a package, the newest first, for users who may publish in it.
pub async fn list_deliveries(house: &House, caller: &Caller, at: &PackageAddress) -> Result<Vec<DeliveryAttempt>> {
    let package = access::package(&house.db, caller, at, Right::Publish).await?.package;
    access::identity(caller)?;
    let attempts = webhook_attempts::list(&house.db, package.id, KEEP).await?;
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

/// Forgets callbacks of long ago, events that were over by then, and those whose hook has been off for as long.
pub(crate) async fn forget(house: &House) -> Result<()> {
    let before = ids::before(Timestamp::from_millis(house.clock.now().millis() - KEEP_MS));
    loop {
        let forgotten = house.db.write(|tx| {
            async move {
                let attempts = webhook_attempts::delete_before(tx, before, FORGOTTEN).await?;
                let events = webhook_deliveries::delete_idle_before(tx, before, FORGOTTEN).await?;
                Ok::<_, Error>(attempts + events)
            }
            .scope_boxed()
        });
        if forgotten.await? == 0 {
            return Ok(());
        }
    }
}
