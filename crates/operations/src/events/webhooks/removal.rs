//! Removes webhooks.

use database::{ScopedFutureExt, events::webhooks};
use model::{access::Right, address::PackageAddress};

use crate::{
    Caller, Error, House, Result, access,
    audit::{entry, record},
};

/// Removes all webhooks of a package, with their pending deliveries.
#[boxed::future]
pub async fn delete(house: &House, caller: &Caller, at: &PackageAddress) -> Result<()> {
    access::package(&house.db, caller, at, Right::Publish).await?;
    access::identity(caller)?;
    let log = &entry(house, caller, "webhook.delete", at, "");
    house
        .db
        .write(|tx| {
            async move {
                let package = access::lock_package(tx, caller, at, Right::Publish).await?.package;
                if webhooks::delete_all(tx, package.id).await? == 0 {
                    return Err(Error::NotFound { what: "Webhook of package", name: at.package.to_string() });
                }
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await
}
