//! The event stream and the webhooks.

pub(crate) mod stream;
pub(crate) mod webhooks;
