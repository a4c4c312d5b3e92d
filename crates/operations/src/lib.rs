//! What the service does, for whoever asks: no HTTP, no SQL. Every operation takes the house and the caller.

mod access;
#[cfg_attr(not(test), expect(dead_code, reason = "uploads that explode come next"))]
pub(crate) mod archive;
mod audit;
mod authentication;
mod caller;
mod change;
mod clock;
mod entropy;
mod error;
mod fault;
mod house;
mod ids;
mod passwords;
mod secrets;

pub mod attribute_search;
pub mod attributes;
pub mod checksums;
pub mod content;
pub mod documents;
pub mod downloads;
pub mod followers;
pub mod format;
pub mod licenses;
pub mod links;
pub mod members;
pub mod orgs;
pub mod package_list;
pub mod packages;
pub mod plans;
pub mod query_limits;
pub mod ratings;
pub mod repos;
pub mod search;
pub mod signed_urls;
pub mod site;
pub mod upkeep;
pub mod users;
pub mod versions;

pub use access::{PackageAccess, RepoAccess};
pub use audit::{Page, list as list_audit};
pub use authentication::authenticate;
pub use caller::{Caller, Identity};
pub use clock::Clock;
pub use entropy::Entropy;
pub use error::{Error, Result};
pub use house::{House, Policy, is_new_house};
pub use ids::Ids;
pub use secrets::Secrets;
