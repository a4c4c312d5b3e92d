//! Secrets that are tried: so many a minute for each name and for each address, over all nodes.

use std::net::{IpAddr, Ipv6Addr};

use database::{ScopedFutureExt, accounts::sign_in_guesses};
use model::timestamp::Timestamp;

use crate::{Error, House, Result};

/// How long a guess counts.
pub(crate) const WINDOW_MS: i64 = 60_000;

/// The most characters of a name that are written down; nobody has a longer one.
const NAME_CHARACTERS: usize = 250;

/// What a guess counts for, and how many of them it takes within the window.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Target {
    pub(crate) text: String,
    pub(crate) limit: u64,
}

impl Target {
    /// A name, of whichever kind.
    pub(crate) fn name(kind: &str, name: &str, limit: u64) -> Self {
        let name: String = name.chars().filter(|c| !c.is_control()).take(NAME_CHARACTERS).collect();
        Self { text: format!("{kind} {}", name.to_lowercase()), limit }
    }

    /// An address. Whoever has one of IPv6 has as many as the last 64 bits can tell apart, so they count as one.
    pub(crate) fn address(kind: &str, address: IpAddr, limit: u64) -> Self {
        let network = match address {
            IpAddr::V4(_) => address,
            IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
        };
        Self { text: format!("{kind} {network}"), limit }
    }
}

/// A guess that is written down.
pub(crate) struct Begun {
    pub(crate) id: i64,
    /// How many there are of each target, this one included.
    pub(crate) counts: Vec<u64>,
}

/// One guess too many.
pub(crate) struct TooMany {
    pub(crate) target: Target,
    pub(crate) wait_ms: i64,
}

impl TooMany {
    /// The refusal.
    pub(crate) fn refusal(&self, what: &str) -> Error {
        Error::LimitReached {
            message: format!("There were too many wrong {what} within a minute; try again later"),
            retry_after_secs: self.wait_ms.clamp(1, WINDOW_MS).unsigned_abs().div_ceil(1_000),
            limit: self.target.limit,
        }
    }
}

/// Writes down that a secret is tried, and says when there were too many. One that is refused is no guess, so that the wait
/// has an end.
pub(crate) async fn begin(house: &House, targets: &[Target]) -> Result<std::result::Result<Begun, TooMany>> {
    let (id, now) = (house.next_id(), house.clock.now());
    // It counts before it is counted: neither a crash nor another node gives more of them.
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

/// It was no guess.
pub(crate) async fn end(house: &House, id: i64) -> Result<()> {
    let deleted = house.db.write(|tx| sign_in_guesses::delete(tx, id).scope_boxed()).await;
    deleted.map_err(|error: database::Error| Error::from(error))
}

/// Forgets what counts no more.
pub(crate) async fn forget(house: &House) -> Result<()> {
    let before = Timestamp::from_millis(house.clock.now().millis() - WINDOW_MS);
    let forgotten = house.db.write(|tx| sign_in_guesses::forget(tx, before).scope_boxed()).await;
    forgotten.map_err(|error: database::Error| Error::from(error))
}
