//! Writing down what hooks have to be told.

use database::{
    Tx,
    events::{
        webhook_deliveries::{self, Delivery},
        webhooks,
    },
};

use crate::{
    Result,
    content::locked_version::LockedVersion,
    events::webhooks::payload::{self, Payload},
};

/// Queues the release of a version for all hooks of its package, in the transaction that publishes it.
pub(crate) async fn enqueue(tx: &mut Tx, holding: &LockedVersion<'_>) -> Result<()> {
    let hooks = webhooks::lock_active(tx, holding.package.package.id).await?;
    if hooks.is_empty() {
        return Ok(());
    }
    let notes = payload::notes(tx, &holding.version).await?;
    let payload = Payload::new(&holding.package.package, &holding.version, holding.now, notes).to_text()?;
    for webhook_id in hooks {
        let delivery = Delivery {
            id: holding.house.next_id(),
            webhook_id,
            version: holding.version.name.to_string(),
            payload: payload.clone(),
            due: holding.now,
        };
        webhook_deliveries::insert(tx, &delivery).await?;
    }
    Ok(())
}
