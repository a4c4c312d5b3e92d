//! Stops signing, so that tests can arrange events between a plan and its signatures.

use tokio::sync::SemaphorePermit;

use super::{SIGNING, WAITING_TO_SIGN};
use crate::House;

/// While this exists, no call signs; calls that are about to sign wait.
#[must_use]
#[derive(Debug)]
pub struct Pause<'h> {
    _permits: SemaphorePermit<'h>,
}

/// Waits for running signatures and blocks further ones, so that tests can arrange events in between.
#[boxed::future]
pub async fn pause(house: &House) -> Pause<'_> {
    let all = u32::try_from(SIGNING).unwrap_or(u32::MAX);
    let permits = house.signing.signing.acquire_many(all).await;
    Pause { _permits: permits.expect("the pool is never closed") }
}

/// The number of calls that sign or wait to sign.
pub fn calls(house: &House) -> usize {
    SIGNING + WAITING_TO_SIGN - house.signing.signers.available_permits()
}
