//! Callbacks on new releases. What is to be told is written down in the transaction that publishes; every node sends what
//! is due, each hook by one node at a time.

mod attempt;
mod callback;
mod deliver;
mod expand;
mod history;
mod keep;
mod listing;
mod mac;
mod outcome;
mod payload;
mod queue;
mod registration;
mod removal;
mod replay;
mod secrets;
mod trial;

pub use deliver::deliver_due;
pub use history::{Tried, list_deliveries};
pub use listing::{list, list_of_repo};
pub use outcome::Outcome;
pub use registration::{Allowance, NewWebhook, Registration, register};
pub use removal::delete;
pub use replay::replay;
pub use trial::{test, test_registered};

pub(crate) use history::forget;
pub(crate) use keep::keep;
pub(crate) use queue::queue;
pub(crate) use secrets::{mac_place, renew_macs, secret_place};
pub(crate) use trial::TRIALS_AT_ONCE;
