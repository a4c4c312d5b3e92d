//! Warns of keys that expire, from thirty days before.

use database::signing::gpg_keys;
use model::timestamp::Timestamp;

use crate::{House, Result, signing::PublicKeyDetail};

/// How many days before the expiry of a key the warnings begin.
const WARNING_DAYS: i64 = 30;

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// A key that expires or has expired.
#[derive(Debug, Clone)]
pub struct OwnedExpiringKey {
    /// Its owner; `None` for the server's own key.
    pub owner: Option<String>,
    /// Its fingerprint.
    pub fingerprint: String,
    /// Its expiry, which may be in the past.
    pub expiry: Timestamp,
}

/// Lists the keys that have an expiry, including expired ones; the earliest expiry comes first.
#[boxed::future]
pub async fn list_expiring(house: &House) -> Result<Vec<OwnedExpiringKey>> {
    list_before(house, Timestamp::MAX).await
}

/// Warns the operators of keys that expire soon or have expired.
pub(crate) async fn warn_of_expiry(house: &House) -> Result<()> {
    for key in list_before(house, warned_before(house.clock.now())).await? {
        let owner = key.owner.as_deref().unwrap_or("the server");
        tracing::warn!(owner, "the GPG key `{}` of {owner} expires at {}", key.fingerprint, key.expiry);
    }
    Ok(())
}

async fn list_before(house: &House, time: Timestamp) -> Result<Vec<OwnedExpiringKey>> {
    let ending = gpg_keys::list_ending(&house.db, time).await?;
    let expiring = |key: gpg_keys::ExpiringKey| OwnedExpiringKey {
        owner: key.subject,
        fingerprint: key.fingerprint,
        expiry: Timestamp::from_millis(key.expiry),
    };
    Ok(ending.into_iter().map(expiring).collect())
}

impl PublicKeyDetail {
    /// Returns a warning about the expiry of the key, from thirty days before it.
    pub fn warning(&self, now: Timestamp) -> Option<String> {
        let expiry = self.expiry.filter(|expiry| *expiry < warned_before(now))?;
        let days = (expiry.millis() - now.millis()) / DAY_MS;
        Some(if expiry <= now {
            format!("The GPG key expired at {expiry} and no longer signs; store a new one")
        } else {
            format!("The GPG key expires at {expiry}, in {days} days; store one that lasts longer")
        })
    }
}

fn warned_before(now: Timestamp) -> Timestamp {
    Timestamp::from_millis(now.millis() + WARNING_DAYS * DAY_MS)
}
