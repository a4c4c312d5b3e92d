//! Commands that report downloads, events, webhooks and the state of the connection.

pub(crate) mod audit;
pub(crate) mod doctor;
pub(crate) mod logs;
pub(crate) mod stats;
pub(crate) mod stream;
pub(crate) mod usage;
pub(crate) mod webhook;
