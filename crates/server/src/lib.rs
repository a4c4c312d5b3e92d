//! The HTTP surfaces: the hardened edge, the REST API, health and metrics.

mod access;
mod accounts;
mod allowance;
mod assembly;
mod audit;
mod boxed;
mod caller;
mod catalogue;
mod content;
mod docs;
mod download;
mod download_logs;
mod edge;
mod endpoints;
mod error;
mod health;
mod json;
mod pages;
mod paging;
mod path_names;
mod router;
#[cfg(test)]
mod sample_blob;
mod search;
mod signed_urls;
mod signing;
mod staging;
mod state;
mod statistics;
mod stream;
mod usage;
mod usage_thresholds;
mod webhooks;
mod wrong_method;

pub mod settings;

pub use assembly::{OpenHouse, OpenStores, Purpose, open_house, open_stores, place};
pub use edge::{Listener, Server, TlsFiles};
pub use endpoints::Endpoint;
pub use router::endpoints;
pub use state::App;
