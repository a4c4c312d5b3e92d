//! Sending what is due: claimed first, so that no two nodes send it, and written down when there is an outcome.

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
        history::KEEP,
        outcome::{DeliveryOutcome, DeliveryRef, count, record_end, remember},
    },
    fault,
};

/// How long a claim lasts: longer than any callback takes. What a node that dies has claimed is sent by others after it.
const CLAIM_MS: i64 = 30_000;

/// Callbacks that a node has on their way at once.
pub(super) const AT_ONCE: usize = 256;

/// Sends everything that is due, and waits for it; says how many callbacks that were.
pub async fn deliver_due(house: &House) -> Result<usize> {
    let mut sent = 0;
    loop {
        let claimed = claim(house, AT_ONCE).await?;
        if claimed.is_empty() {
            return Ok(sent);
        }
        for ended in join_all(claimed.iter().map(|claimed| deliver(house, claimed))).await {
            ended?;
            sent += 1;
        }
    }
}

/// Claims some of what is due: of each hook one event at most, so that one that hangs keeps nobody else waiting.
pub(super) async fn claim(house: &House, limit: usize) -> Result<Vec<LeasedDelivery>> {
    let now = house.clock.now();
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let hooks = &rows::list_due_hooks(&house.db, now, limit).await?;
    if hooks.is_empty() {
        return Ok(Vec::new());
    }
    let claim = DeliveryLease { token: house.next_id(), until: Timestamp::from_millis(now.millis() + CLAIM_MS) };
    let claimed = house.db.write(|tx| {
        async move {
            let mut claimed = Vec::new();
            for hook in hooks {
                claimed.extend(rows::claim(tx, *hook, claim, now).await?);
            }
            Ok::<_, Error>(claimed)
        }
        .scope_boxed()
    });
    claimed.await
}

/// Sends an event, and writes down what came of it. When that fails, the claim ends by itself and it is sent again.
pub(super) async fn deliver(house: &House, claimed: &LeasedDelivery) -> Result<()> {
    let at = address(claimed)?;
    let outcome = match attempt(house, &at, claimed).await {
        // It would not be better the next time, and nothing else would ever be sent.
        Err(Error::Internal(cause)) => {
            tracing::error!("a callback of `{at}` could not be made: {cause}");
            DeliveryOutcome::unsent("the server could not make it")
        }
        other => other?,
    };
    fault::point("webhook: sent");
    finish(house, &at, claimed, &outcome).await
}

async fn finish(house: &House, at: &PackageAddress, claimed: &LeasedDelivery, outcome: &DeliveryOutcome) -> Result<()> {
    let told = &DeliveryRef {
        package_id: claimed.package_id,
        delivery_id: claimed.id,
        version: &claimed.version,
        at: house.clock.now(),
    };
    let (attempts, target) = (claimed.attempts + 1, &at.to_string());
    let wait = wait_ms(attempts, house.entropy.number()).filter(|_| !outcome.is_success());
    let ended = house.db.write(|tx| {
        async move {
            // The package before the hook, as everyone takes them. Either may have gone, or the claim.
            if !packages::keep(tx, claimed.package_id).await?
                || !rows::release(tx, claimed.webhook_id, claimed.token).await?
            {
                return Ok(false);
            }
            match wait {
                Some(wait) => {
                    let due = Timestamp::from_millis(told.at.millis() + wait);
                    rows::postpone(tx, claimed.id, attempts, due).await?;
                }
                None => settled_deliveries::settle(tx, claimed.id, claimed.webhook_id, KEEP).await?,
            }
            remember(tx, house, told, outcome).await?;
            let has_ended = count(tx, house, claimed.webhook_id, outcome).await?;
            if has_ended {
                record_end(tx, house, target).await?;
            }
            Ok::<_, Error>(has_ended)
        }
        .scope_boxed()
    });
    if ended.await? {
        tracing::warn!("a webhook of `{target}` was switched off after too many failures in a row");
    }
    Ok(())
}
