//! Debian repositories: .deb and .dsc files, `Packages`, `Sources`, `Contents` and `Release`.

mod commands;
pub mod contents;
mod format;
pub mod index;
pub mod inspect;
pub mod names;
mod native;
pub mod placement;
pub mod release;
mod repo_indexes;
pub mod source;
pub mod stream;
mod suite;
pub mod version;

#[cfg(test)]
pub(crate) mod samples;

pub use format::Debian;
