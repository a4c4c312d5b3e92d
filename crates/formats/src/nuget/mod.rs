//! NuGet (v3): ids, versions, nuspecs, and the documents of the service.

pub mod format;
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

mod answers;
mod commands;
mod indexes;
mod native;
mod routes;

#[cfg(test)]
mod samples;

pub use self::{format::Nuget, id::NugetId, nuspec::Nuspec, version::NugetVersion};
