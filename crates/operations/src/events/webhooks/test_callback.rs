//! Test callbacks, sent on request.

use database::{ScopedFutureExt, catalogue::versions, events::webhooks};
use model::{access::Right, address::VersionAddress, api_key::ApiKey, webhook::Webhook, webhook_event::WebhookEvent};
use reqwest::Url;
use zeroize::Zeroizing;

use crate::{
    Caller, Error, House, PackageAccess, Result, access,
    audit::{entry, record},
    events::webhooks::{
        callback::{self, Callback},
        expand, mac,
        outcome::{DeliveryOutcome, DeliveryRef, count, record_end, remember},
        payload::Payload,
        release_payload::ReleasePayload,
        secrets,
    },
};

/// The maximum number of simultaneous test callbacks.
pub(crate) const TRIALS_AT_ONCE: usize = 32;

/// The text sent instead of release notes.
const NOTES: &str = "This is a test of a webhook. Nothing was released.";

/// Sends a callback for a version to a URL, for a user who may publish it and has just presented this key. If the URL
/// is that of a webhook, the callback uses the webhook's settings, and its outcome counts for the webhook.
#[boxed::future]
pub async fn test(
    house: &House,
    caller: &Caller,
    key: &ApiKey,
    at: &VersionAddress,
    url: &str,
) -> Result<DeliveryOutcome> {
    run(house, caller, Proof::Key(key), at, url).await
}

/// Does the same for the URL of a webhook, signed like callbacks of the webhook; no key has to be presented.
#[boxed::future]
pub async fn test_registered(
    house: &House,
    caller: &Caller,
    at: &VersionAddress,
    url: &str,
) -> Result<DeliveryOutcome> {
    run(house, caller, Proof::Hook, at, url).await
}

/// The source of the contract's header.
#[derive(Clone, Copy)]
enum Proof<'k> {
    /// The API key of the user who requests the test.
    Key(&'k ApiKey),
    /// The header stored for the webhook.
    Hook,
}

async fn run(
    house: &House,
    caller: &Caller,
    proof: Proof<'_>,
    at: &VersionAddress,
    url: &str,
) -> Result<DeliveryOutcome> {
    let found = access::package(&house.db, caller, at, Right::Publish).await?;
    access::identity(caller)?;
    let version =
        versions::find(&house.db, found.package.id, &at.version).await?.ok_or_else(|| Error::no_version(at))?;
    let address = expand::check_given(house, &at.package, url)?;
    let busy = |_| Error::Unavailable("too many test callbacks are running".into());
    let _place = house.trials.try_acquire().map_err(busy)?;
    let hook = webhooks::find(&house.db, found.package.id, url).await?;
    let payload = ReleasePayload::new(&found.package, &version, house.clock.now(), NOTES.to_owned());
    if hook.is_none() && matches!(proof, Proof::Hook) {
        return Err(Error::NotFound { what: "Webhook of package", name: at.package.package.to_string() });
    }
    let trial = Trial { id: house.next_id(), address, hook, payload: Payload::Release(payload) };
    let outcome = trial.send(house, proof, &found).await?;
    trial.finish(house, caller, at, &found, &outcome).await?;
    Ok(outcome)
}

struct Trial {
    id: i64,
    address: Url,
    hook: Option<Webhook>,
    payload: Payload,
}

impl Trial {
    async fn send(&self, house: &House, proof: Proof<'_>, found: &PackageAccess) -> Result<DeliveryOutcome> {
        let hook = self.hook.as_ref();
        let secret = hook.map(|hook| secrets::open_secret(house, hook.id, &hook.sealed_secret)).transpose()?;
        let header = match (proof, hook) {
            (Proof::Hook, Some(hook)) => secrets::open_mac(house, hook.id, &hook.sealed_mac)?,
            (Proof::Key(key), _) => Zeroizing::new(mac::of_package(key, found.package.name.as_str())),
            (Proof::Hook, None) => return Err(Error::Internal("a test callback without a webhook has no MAC".into())),
        };
        let callback = Callback {
            url: self.address.clone(),
            method: hook.map(|hook| hook.method).unwrap_or_default(),
            id: self.id,
            event: WebhookEvent::Release,
            payload: &self.payload,
            mac: &header,
            secret: secret.as_ref().map(|secret| secret.as_slice()),
        };
        callback::send(house, callback).await
    }

    async fn finish(
        &self,
        house: &House,
        caller: &Caller,
        at: &VersionAddress,
        found: &PackageAccess,
        outcome: &DeliveryOutcome,
    ) -> Result<()> {
        let log = &entry(house, caller, "webhook.test", at, expand::origin(&self.address));
        let told = &DeliveryRef {
            package_id: found.package.id,
            delivery_id: self.id,
            version: at.version.as_str(),
            at: log.at,
        };
        let (hook, target) = (self.hook.as_ref(), &at.package.to_string());
        house
            .db
            .write(|tx| {
                async move {
                    remember(tx, house, told, outcome).await?;
                    if let Some(hook) = hook
                        && count(tx, house, hook.id, outcome).await?
                    {
                        record_end(tx, house, target).await?;
                    }
                    record(tx, log).await
                }
                .scope_boxed()
            })
            .await
    }
}
