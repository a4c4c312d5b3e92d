//! The event stream and webhooks.

pub(crate) mod stream;
pub(crate) mod stream_resume;
pub(crate) mod stream_scopes;
pub(crate) mod stream_slow;
pub(crate) mod webhook_addresses;
pub(crate) mod webhook_delivery;
pub(crate) mod webhook_event_queue;
pub(crate) mod webhook_events;
pub(crate) mod webhook_failures;
pub(crate) mod webhook_requeues;
pub(crate) mod webhook_tests;
pub(crate) mod webhooks;
