//! Sends a settled delivery again.

use database::{
    ScopedFutureExt,
    events::{settled_deliveries, webhook_deliveries::DeliveryState},
};
use model::{access::Right, address::PackageAddress};

use crate::{
    Caller, Error, House, Result, access,
    audit::{entry, record},
    events::webhooks::callback,
};

/// Enqueues a settled delivery of a package's webhooks again, for a user who may publish in it. It stays the same
/// delivery: it has the same id and its original payload, goes to the same webhook, and has as many attempts as a new
/// one.
#[boxed::future]
pub async fn replay(house: &House, caller: &Caller, at: &PackageAddress, event: &str) -> Result<()> {
    access::package(&house.db, caller, at, Right::Publish).await?;
    access::identity(caller)?;
    let not_found = || Error::NotFound { what: "Event", name: event.chars().take(40).collect() };
    let id = callback::parse(event).ok_or_else(not_found)?;
    let log = &entry(house, caller, "webhook.replay", at, event);
    house
        .db
        .write(|tx| {
            async move {
                let package = access::lock_package(tx, caller, at, Right::Publish).await?.package;
                let status = settled_deliveries::find_status(tx, package.id, id).await?.ok_or_else(not_found)?;
                if !status.is_active {
                    return Err(Error::Conflict("The webhook is off; register it again".into()));
                }
                // Of two simultaneous requests, only one succeeds.
                if status.state != DeliveryState::Settled || !settled_deliveries::requeue(tx, id, log.at).await? {
                    return Err(waiting());
                }
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await
}

fn waiting() -> Error {
    Error::Conflict("The delivery is still pending; the server sends it on its own".into())
}
