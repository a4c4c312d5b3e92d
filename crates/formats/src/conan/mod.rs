//! Conan 2: references, versions, revisions and the documents that clients ask for.

pub mod answers;
pub mod files;
pub mod format;
pub mod info;
pub mod layout;
pub mod manifest;
pub mod pattern;
pub mod reference;
pub mod revision;
pub mod version;

mod commands;
mod documents;
mod native;
mod routes;

pub use self::{format::Conan, layout::ConanFile, reference::ConanReference, revision::RevisionId};
