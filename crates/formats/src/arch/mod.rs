//! Arch repositories: .pkg.tar files and pacman's databases.

mod commands;
mod format;
pub mod index;
pub mod inspect;
mod native;
pub mod placement;
mod repo_indexes;
pub mod version;

#[cfg(test)]
pub(crate) mod samples;

pub use format::Arch;
