//! The HTTP surfaces: the REST API with its description, downloads, health and metrics, with the pages beside them and
//! the edge in front.

mod access;
mod accounts;
mod assembly;
mod catalogue;
mod content;
mod docs;
mod downloads;
mod endpoints;
mod events;
mod exposition;
mod health;
mod jobs;
mod metrics;
mod native;
mod objects;
mod oci;
mod public_sync;
mod router;
mod search;
mod serve;
mod service;
mod signing;
mod state;
mod target;
mod traces;
mod usage;

pub use assembly::{open_house, open_stores, place, plan_upgrade};
pub use edge::{Listener, TlsFiles};
pub use endpoints::{Endpoint, endpoints};
pub use jobs::run_jobs;
pub use operations::open::{OpenHouse, OpenStores, Purpose};
pub use serve::serve;
pub use state::ServerState;
pub use traces::Span;
pub use web::App;
