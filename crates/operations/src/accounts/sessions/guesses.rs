//! Wrong passwords: a few a minute for each name and for each address, over all nodes.

use crate::{
    Caller, House, Result, Via,
    guesses::{self, Target},
};

/// Wrong passwords that a name takes within the window.
const OF_NAME: u64 = 10;

/// And those from one address, for whichever names.
const OF_ADDRESS: u64 = 30;

/// Writes down that a password is about to be tried, and refuses it when there were too many.
pub(super) async fn begin(house: &House, caller: &Caller, name: &str) -> Result<i64> {
    let address = match caller.via {
        Via::Network { address, .. } => Target::address("address", address, OF_ADDRESS),
        Via::CommandLine | Via::Job => Target::name("address", &caller.audit_address(), OF_ADDRESS),
    };
    let begun = guesses::begin(house, &[Target::name("name", name, OF_NAME), address]).await?;
    Ok(begun.map_err(|too_many| too_many.refusal("passwords"))?.id)
}

/// It was no guess.
pub(super) async fn end(house: &House, id: i64) -> Result<()> {
    guesses::end(house, id).await
}
