//! Callbacks on new releases. What is to be told is written down in the transaction that publishes; every node sends what
//! is due, each hook by one node at a time.

mod attempt;
mod callback;
mod deliver;
pub(crate) mod dispatcher;
pub(crate) mod enqueue;
mod expand;
mod history;
mod listing;
mod mac;
mod outcome;
mod payload;
mod registration;
mod removal;
pub(crate) mod requeue;
mod secrets;
pub(crate) mod test_callback;

pub use crate::events::webhooks::{
    requeue::replay,
    test_callback::{test, test_registered},
};
pub use deliver::deliver_due;
pub use history::{DeliveryAttempt, list_deliveries};
pub use listing::{list, list_of_repo};
pub use outcome::DeliveryOutcome;
pub use registration::{NewWebhook, Registration, WebhookQuota, register};
pub use removal::delete;

pub(crate) use crate::events::webhooks::{dispatcher::run_dispatcher, enqueue::enqueue, test_callback::TRIALS_AT_ONCE};
pub(crate) use history::forget;
pub(crate) use secrets::{mac_place, renew_macs, secret_place};
