//! Writing down what hooks have to be told.

use database::{
    Tx,
    catalogue::{packages::Package, versions::Version},
    events::{
        webhook_deliveries::{self, Delivery},
        webhooks,
    },
};
use model::timestamp::Timestamp;

use crate::{
    House, Result,
    events::webhooks::payload::{self, Payload},
};

/// Queues the release of a version for all hooks of its package, in the transaction that publishes it.
pub(crate) async fn enqueue(
    tx: &mut Tx,
    house: &House,
    package: &Package,
    version: &Version,
    now: Timestamp,
) -> Result<()> {
    let hooks = webhooks::lock_active(tx, package.id).await?;
    if hooks.is_empty() {
        return Ok(());
    }
    let notes = payload::notes(tx, version).await?;
    let payload = Payload::new(package, version, now, notes).to_text()?;
    for webhook_id in hooks {
        let delivery = Delivery {
            id: house.next_id(),
            webhook_id,
            version: version.name.to_string(),
            payload: payload.clone(),
            due: now,
        };
        webhook_deliveries::insert(tx, &delivery).await?;
    }
    Ok(())
}
