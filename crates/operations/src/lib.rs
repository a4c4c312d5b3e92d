//! What the service does, for whoever asks: no HTTP, no SQL. Every operation takes the house and the caller.

mod access;
mod audit;
mod authentication;
mod caller;
mod clock;
mod entropy;
mod error;
mod house;
mod ids;
mod passwords;
mod secrets;

pub mod members;
pub mod orgs;
pub mod plans;
pub mod site;
pub mod upkeep;
pub mod users;

pub use audit::{Page, list as list_audit};
pub use authentication::authenticate;
pub use caller::{Caller, Identity};
pub use clock::Clock;
pub use entropy::Entropy;
pub use error::{Error, Result};
pub use house::{House, Policy, is_new_house};
pub use ids::Ids;
pub use secrets::Secrets;
