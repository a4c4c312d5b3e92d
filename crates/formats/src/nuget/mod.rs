//! NuGet (v3): ids, versions, nuspecs, and the documents of the service.

pub mod id;
pub mod index;
pub mod inspect;
pub mod layout;
pub mod nuspec;
pub mod push;
pub mod range;
pub mod registration;
pub mod search;
pub mod version;

pub use self::{id::NugetId, nuspec::Nuspec, version::NugetVersion};
