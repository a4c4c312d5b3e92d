//! Composer: names, versions, packages and the documents of a repository.

pub mod document;
pub mod inspect;
pub mod modifier;
pub mod name;
pub mod normalize;
pub mod order;
pub mod publish;
pub mod root;
pub mod version;

pub use self::{
    inspect::ComposerPackage,
    name::ComposerName,
    version::{ComposerVersion, Stability},
};
