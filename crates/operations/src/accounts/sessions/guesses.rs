//! Limits wrong passwords: a few per minute for each name and for each address, on all nodes together.

use crate::{
    Caller, House, Result, Via,
    guesses::{self, Target},
};

/// The maximum number of wrong passwords for a name within the window.
const OF_NAME: u64 = 10;

/// The same for one address, with any names.
const OF_ADDRESS: u64 = 30;

/// Records that a password is about to be tried, and rejects it after too many.
pub(super) async fn begin(house: &House, caller: &Caller, name: &str) -> Result<i64> {
    let address = match caller.via {
        Via::Network { address, .. } => Target::address("address", address, OF_ADDRESS),
        Via::CommandLine | Via::Job => Target::name("address", &caller.audit_address(), OF_ADDRESS),
    };
    let begun = guesses::begin(house, &[Target::name("name", name, OF_NAME), address]).await?;
    Ok(begun.map_err(|too_many| too_many.refusal("passwords"))?.id)
}

/// Removes the record: the password was right.
pub(super) async fn end(house: &House, id: i64) -> Result<()> {
    guesses::end(house, id).await
}
