//! Attempts to send a leased delivery to its receiver.

use database::{accounts::subjects, events::webhook_deliveries::LeasedDelivery};
use model::{
    access::Right,
    address::{PackageAddress, RepoAddress},
    id::SubjectId,
    names::{PackageName, RepoName, SubjectName},
};

use crate::{
    Caller, Error, House, Result, UserIdentity, access,
    events::webhooks::{
        callback::{self, Callback},
        expand,
        outcome::DeliveryOutcome,
        payload::Payload,
        secrets,
    },
};

/// The package of a delivery.
pub(super) fn address(leased: &LeasedDelivery) -> Result<PackageAddress> {
    let [owner, repo, package] = &leased.names;
    let damaged = |_| Error::Internal(format!("webhook {} is of a package with a damaged name", leased.webhook_id));
    Ok(PackageAddress {
        repo: RepoAddress {
            owner: SubjectName::parse(owner).map_err(damaged)?,
            repo: RepoName::parse(repo).map_err(damaged)?,
        },
        package: PackageName::stored(package).map_err(damaged)?,
    })
}

/// Sends a delivery, unless something prevents it: that is an outcome as well.
pub(super) async fn attempt(house: &House, at: &PackageAddress, leased: &LeasedDelivery) -> Result<DeliveryOutcome> {
    if !may_still(house, at, leased.user_id).await? {
        return Ok(DeliveryOutcome::unsent("the user who registered it may not publish here any more"));
    }
    let url = match expand::check(house, at, &leased.url) {
        Ok(url) => url,
        Err(error) => return Ok(DeliveryOutcome::unsent(error.to_string())),
    };
    let secret = secrets::open_secret(house, leased.webhook_id, &leased.sealed_secret)?;
    let callback = Callback {
        url,
        method: leased.method,
        id: leased.id,
        event: leased.event,
        payload: &Payload::from_text(leased.event, &leased.payload)?,
        mac: &secrets::open_mac(house, leased.webhook_id, &leased.sealed_mac)?,
        secret: Some(&secret),
    };
    callback::send(house, callback).await
}

/// Returns whether the user who registered the webhook would still be allowed to.
async fn may_still(house: &House, at: &PackageAddress, user_id: SubjectId) -> Result<bool> {
    let Some(user) = subjects::find_active(&house.db, user_id).await? else { return Ok(false) };
    let caller = Caller::job_of(UserIdentity::from(&user));
    match access::own_package(&house.db, &caller, at, Right::Publish).await {
        Ok(_) => Ok(true),
        Err(Error::NotFound { .. } | Error::Denied(_)) => Ok(false),
        Err(error) => Err(error),
    }
}
