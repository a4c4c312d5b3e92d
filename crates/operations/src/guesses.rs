//! Limits attempts to guess secrets: per minute, for each name and for each address, on all nodes together.

use std::net::{IpAddr, Ipv6Addr};

use database::{ScopedFutureExt, accounts::sign_in_guesses};
use model::timestamp::Timestamp;

use crate::{Error, House, Result};

/// How long a guess counts.
pub(crate) const WINDOW_MS: i64 = 60_000;

/// The maximum number of characters of a name that are stored; no account has a longer one.
const NAME_CHARACTERS: usize = 250;

/// A name or address that a guess counts for, and its limit within the window.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Target {
    pub(crate) text: String,
    pub(crate) limit: u64,
}

impl Target {
    /// A name of any kind.
    pub(crate) fn name(kind: &str, name: &str, limit: u64) -> Self {
        let name: String = name.chars().filter(|c| !c.is_control()).take(NAME_CHARACTERS).collect();
        Self { text: format!("{kind} {}", name.to_lowercase()), limit }
    }

    /// An address. An IPv6 client controls all addresses that differ in the last 64 bits, so they count as one.
    pub(crate) fn address(kind: &str, address: IpAddr, limit: u64) -> Self {
        let network = match address {
            IpAddr::V4(_) => address,
            IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
        };
        Self { text: format!("{kind} {network}"), limit }
    }
}

/// A recorded guess.
pub(crate) struct Begun {
    pub(crate) id: i64,
    /// The number of guesses for each target, including this one.
    pub(crate) counts: Vec<u64>,
}

/// A guess over the limit.
pub(crate) struct TooMany {
    pub(crate) target: Target,
    pub(crate) wait_ms: i64,
}

impl TooMany {
    /// Returns the error.
    pub(crate) fn refusal(&self, what: &str) -> Error {
        Error::LimitReached {
            message: format!("There were too many wrong {what} within a minute; try again later"),
            retry_after_secs: self.wait_ms.clamp(1, WINDOW_MS).unsigned_abs().div_ceil(1_000),
            limit: self.target.limit,
        }
    }
}

/// Records an attempt, and reports if there were too many. A rejected attempt does not count as a guess, so that the
/// wait ends.
pub(crate) async fn begin(house: &House, targets: &[Target]) -> Result<std::result::Result<Begun, TooMany>> {
    let (id, now) = (house.next_id(), house.clock.now());
    // The guess is inserted before it is counted: neither a crash nor another node allows more guesses.
    house
        .db
        .write(|tx| {
            async move {
                for target in targets {
                    sign_in_guesses::insert(tx, id, &target.text, now).await?;
                }
                Ok::<_, Error>(())
            }
            .scope_boxed()
        })
        .await?;
    let since = Timestamp::from_millis(now.millis() - WINDOW_MS);
    let mut counts = Vec::new();
    for target in targets {
        let times =
            sign_in_guesses::list(&house.db, &target.text, since, target.limit.cast_signed().saturating_add(1)).await?;
        if let Some(oldest) = times.last().filter(|_| times.len() as u64 > target.limit) {
            let wait_ms = oldest.millis() + WINDOW_MS - now.millis();
            end(house, id).await?;
            return Ok(Err(TooMany { target: target.clone(), wait_ms }));
        }
        counts.push(times.len() as u64);
    }
    Ok(Ok(Begun { id, counts }))
}

/// Removes a guess: the secret was right.
pub(crate) async fn end(house: &House, id: i64) -> Result<()> {
    let deleted = house.db.write(|tx| sign_in_guesses::delete(tx, id).scope_boxed()).await;
    deleted.map_err(|error: database::Error| Error::from(error))
}

/// Deletes expired guesses.
pub(crate) async fn delete_expired(house: &House) -> Result<()> {
    let before = Timestamp::from_millis(house.clock.now().millis() - WINDOW_MS);
    let deleted = house.db.write(|tx| sign_in_guesses::delete_expired(tx, before).scope_boxed()).await;
    deleted.map_err(|error: database::Error| Error::from(error))
}
