//! Wrong passwords: a few a minute for each name and for each address, over all nodes.

use database::{ScopedFutureExt, sign_in_guesses};
use model::timestamp::Timestamp;

use crate::{Caller, Error, House, Result};

/// Wrong passwords that a name takes within the window.
const OF_NAME: u64 = 10;

/// And those from one address, for whichever names.
const OF_ADDRESS: u64 = 30;

/// How long a wrong password counts.
const WINDOW_MS: i64 = 60_000;

/// The longest name that is written down; no user has a longer one.
const NAME_CHARACTERS: usize = 100;

/// Writes down that a password is about to be tried, and refuses it when there were too many.
pub(super) async fn begin(house: &House, caller: &Caller, name: &str) -> Result<i64> {
    let (id, now) = (house.next_id(), house.clock.now());
    let name: String = name.chars().filter(|c| !c.is_control()).take(NAME_CHARACTERS).collect();
    let limits = [
        (format!("name {}", name.to_lowercase()), OF_NAME),
        (format!("address {}", caller.audit_address()), OF_ADDRESS),
    ];
    // It counts before it is tried and before it is counted: neither a crash nor another node gives more of them.
    let targets = &limits;
    house
        .db
        .write(|tx| {
            async move {
                for (target, _) in targets {
                    sign_in_guesses::insert(tx, id, target, now).await?;
                }
                Ok::<_, Error>(())
            }
            .scope_boxed()
        })
        .await?;
    for (target, limit) in &limits {
        check(house, id, target, *limit, now).await?;
    }
    Ok(id)
}

/// A try that is refused is none, so that the wait has an end.
async fn check(house: &House, id: i64, target: &str, limit: u64, now: Timestamp) -> Result<()> {
    let since = Timestamp::from_millis(now.millis() - WINDOW_MS);
    let times = sign_in_guesses::list(&house.db, target, since, limit.cast_signed() + 1).await?;
    match times.last().filter(|_| times.len() as u64 > limit) {
        None => Ok(()),
        Some(oldest) => {
            let wait_ms = (oldest.millis() + WINDOW_MS - now.millis()).clamp(1, WINDOW_MS);
            end(house, id).await?;
            Err(Error::LimitReached {
                message: "There were too many wrong passwords within a minute; try again later".into(),
                retry_after_secs: wait_ms.unsigned_abs().div_ceil(1_000),
                limit,
            })
        }
    }
}

/// It was no guess.
pub(super) async fn end(house: &House, id: i64) -> Result<()> {
    let deleted = house.db.write(|tx| sign_in_guesses::delete(tx, id).scope_boxed()).await;
    deleted.map_err(|error: database::Error| Error::from(error))
}

/// Forgets what counts no more.
pub(super) async fn forget(house: &House) -> Result<()> {
    let before = Timestamp::from_millis(house.clock.now().millis() - WINDOW_MS);
    let forgotten = house.db.write(|tx| sign_in_guesses::forget(tx, before).scope_boxed()).await;
    forgotten.map_err(|error: database::Error| Error::from(error))
}
