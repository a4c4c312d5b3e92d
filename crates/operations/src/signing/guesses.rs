//! Limits wrong passphrases: five per minute and key, on all nodes together.

use database::{ScopedFutureExt, signing::gpg_guesses};
use model::timestamp::Timestamp;

use crate::{Error, House, Result};

/// The maximum number of wrong passphrases for a key within the window.
const GUESSES: usize = 5;

/// How long a wrong passphrase counts.
const WINDOW_MS: i64 = 60_000;

/// Tries a passphrase if the key's limit allows it; `None` from the attempt means a wrong passphrase.
pub(super) async fn limited<T>(
    house: &House,
    key_id: i64,
    attempt: impl Future<Output = Result<Option<T>>>,
) -> Result<T> {
    let _turn = house.signing.lock_key(key_id).await?;
    // The attempt counts before it begins: neither a crash nor another node allows more attempts.
    let guess_id = begin(house, key_id).await?;
    let opened = attempt.await?.ok_or_else(wrong)?;
    house.db.write(|tx| gpg_guesses::delete(tx, guess_id).scope_boxed()).await?;
    Ok(opened)
}

/// The error for a wrong passphrase.
pub(super) fn wrong() -> Error {
    Error::invalid("passphrase", "it does not open the GPG key")
}

async fn begin(house: &House, key_id: i64) -> Result<i64> {
    let (id, now) = (house.next_id(), house.clock.now());
    house
        .db
        .write(|tx| {
            async move {
                if !gpg_guesses::lock_key(tx, key_id).await? {
                    return Err(Error::Conflict("The GPG key was replaced meanwhile".into()));
                }
                gpg_guesses::delete_expired(tx, key_id, Timestamp::from_millis(now.millis() - WINDOW_MS)).await?;
                let times = gpg_guesses::list(tx, key_id).await?;
                match times.len().checked_sub(GUESSES).and_then(|index| times.get(index)) {
                    Some(oldest) => Err(too_many(*oldest, now)),
                    None => Ok(gpg_guesses::insert(tx, id, key_id, now).await?),
                }
            }
            .scope_boxed()
        })
        .await?;
    Ok(id)
}

fn too_many(oldest: Timestamp, now: Timestamp) -> Error {
    let wait_ms = (oldest.millis() + WINDOW_MS - now.millis()).clamp(1, WINDOW_MS);
    Error::LimitReached {
        message: format!("There were {GUESSES} wrong passphrases for this GPG key within a minute; try again later"),
        retry_after_secs: wait_ms.unsigned_abs().div_ceil(1_000),
        limit: GUESSES as u64,
    }
}
