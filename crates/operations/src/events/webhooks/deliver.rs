//! Sends due deliveries: they are leased first, so that no two nodes send the same one, and the outcome is recorded
//! afterwards.

use database::{
    ScopedFutureExt,
    catalogue::packages,
    events::{
        settled_deliveries,
        webhook_deliveries::{self as rows, DeliveryLease, LeasedDelivery},
    },
};
use futures_util::future::join_all;
use model::{address::PackageAddress, timestamp::Timestamp, webhook::wait_ms};

use crate::{
    Error, House, Result,
    events::webhooks::{
        attempt::{address, attempt},
        history::RETAINED,
        outcome::{DeliveryOutcome, DeliveryRef, count, record_end, remember},
    },
    fault,
};

/// The duration of a lease: longer than any callback takes. Deliveries leased by a node that dies are sent by other
/// nodes afterwards.
const LEASE_MS: i64 = 30_000;

/// The maximum number of callbacks that a node sends at once.
pub(super) const AT_ONCE: usize = 256;

/// Sends all due deliveries and waits for them; returns the number of callbacks.
#[boxed::future]
pub async fn deliver_due(house: &House) -> Result<usize> {
    let mut sent = 0;
    loop {
        let leased = lease(house, AT_ONCE).await?;
        if leased.is_empty() {
            return Ok(sent);
        }
        for ended in join_all(leased.iter().map(|leased| deliver(house, leased))).await {
            ended?;
            sent += 1;
        }
    }
}

/// Leases some due deliveries: at most one per webhook, so that a receiver that hangs does not delay others.
pub(super) async fn lease(house: &House, limit: usize) -> Result<Vec<LeasedDelivery>> {
    let now = house.clock.now();
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let hooks = &rows::list_due_hooks(&house.db, now, limit).await?;
    if hooks.is_empty() {
        return Ok(Vec::new());
    }
    let lease = DeliveryLease { token: house.next_id(), until: Timestamp::from_millis(now.millis() + LEASE_MS) };
    let leased = house.db.write(|tx| {
        async move {
            let mut leased = Vec::new();
            for hook in hooks {
                leased.extend(rows::lease(tx, *hook, lease, now).await?);
            }
            Ok::<_, Error>(leased)
        }
        .scope_boxed()
    });
    leased.await
}

/// Sends a delivery and records its outcome. If that fails, the lease expires and the delivery is sent again.
pub(super) async fn deliver(house: &House, leased: &LeasedDelivery) -> Result<()> {
    let at = address(leased)?;
    let outcome = match attempt(house, &at, leased).await {
        // A retry would fail as well, and block all later deliveries.
        Err(Error::Internal(cause)) => {
            tracing::error!("callback of `{at}` failed: {cause}");
            DeliveryOutcome::unsent("the server failed to create the callback")
        }
        other => other?,
    };
    fault::point("webhook: sent");
    finish(house, &at, leased, &outcome).await
}

async fn finish(house: &House, at: &PackageAddress, leased: &LeasedDelivery, outcome: &DeliveryOutcome) -> Result<()> {
    let told = &DeliveryRef {
        package_id: leased.package_id,
        delivery_id: leased.id,
        version: &leased.version,
        at: house.clock.now(),
    };
    let (attempts, target) = (leased.attempts + 1, &at.to_string());
    let wait = wait_ms(attempts, house.entropy.number()).filter(|_| !outcome.is_success());
    let ended = house.db.write(|tx| {
        async move {
            // The package is locked before the webhook, in the same order everywhere. Either may have been deleted, or
            // the lease lost.
            if !packages::lock_shared(tx, leased.package_id).await?
                || !rows::release(tx, leased.webhook_id, leased.token).await?
            {
                return Ok(false);
            }
            match wait {
                Some(wait) => {
                    let due = Timestamp::from_millis(told.at.millis() + wait);
                    rows::postpone(tx, leased.id, attempts, due).await?;
                }
                None => settled_deliveries::settle(tx, leased.id, leased.webhook_id, RETAINED).await?,
            }
            remember(tx, house, told, outcome).await?;
            let has_ended = count(tx, house, leased.webhook_id, outcome).await?;
            if has_ended {
                record_end(tx, house, target).await?;
            }
            Ok::<_, Error>(has_ended)
        }
        .scope_boxed()
    });
    if ended.await? {
        tracing::warn!("webhook of `{target}` switched off after too many failures in a row");
    }
    Ok(())
}
