//! Callbacks on events. Deliveries are rows of the transaction that records the event; every node sends those that are due,
//! each webhook by one node at a time.

mod attempt;
mod callback;
mod deliver;
pub(crate) mod dispatcher;
mod enqueue;
mod event_payload;
mod expand;
mod history;
mod listing;
mod mac;
mod outcome;
mod payload;
mod registration;
mod release_payload;
mod removal;
pub(crate) mod requeue;
mod secrets;
mod subscriptions;
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

pub(crate) use crate::events::webhooks::{
    dispatcher::{DISPATCH_EVERY, DISPATCHER, run_dispatcher},
    test_callback::TRIALS_AT_ONCE,
};
pub(crate) use enqueue::enqueue;
pub(crate) use history::delete_expired;
pub(crate) use secrets::{mac_place, renew_macs, secret_place};
pub(crate) use subscriptions::Subscriptions;
