//! Composer: names, versions, packages and the documents of a repository.

mod commands;
pub mod document;
mod facts;
mod filter;
mod format;
mod indexes;
pub mod inspect;
pub mod modifier;
pub mod name;
mod native;
pub mod normalize;
pub mod order;
pub mod publish;
pub mod root;
mod routes;
pub mod version;

pub use self::{
    format::Composer,
    inspect::ComposerPackage,
    name::ComposerName,
    version::{ComposerVersion, Stability},
};
