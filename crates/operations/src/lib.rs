//! The operations of the service, for any caller: no HTTP, no SQL. Every operation takes the house and the caller.

mod audit;
mod blocking;
mod caller;
mod change;
mod clock;
mod entropy;
mod error;
mod fault;
mod geo;
mod guesses;
mod house;
mod ids;
mod passwords;
mod runner;
mod sealing;
mod secrets;
mod ticks;

pub mod access;
pub mod accounts;
pub mod cache;
pub mod catalogue;
pub mod content;
pub mod downloads;
pub mod events;
pub mod format;
pub mod jobs;
pub mod maintenance;
pub mod outbound;
pub mod public_sync;
pub mod rendering;
pub mod search;
pub mod signing;
pub mod storage;
pub mod usage;

pub use crate::accounts::authentication::{PresentedCredentials, authenticate, is_suspect};
pub use access::{PackageAccess, RepoAccess};
pub use audit::Page;
pub use caller::{AccessKeyIdentity, Caller, Principal, UserIdentity, Via};
pub use clock::Clock;
pub use entropy::Entropy;
pub use error::{Error, Result, is_late};
pub use geo::Geo;
pub use house::{House, Policy};
pub use ids::Ids;
pub use secrets::Secrets;
