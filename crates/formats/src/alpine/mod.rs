//! Alpine repositories: .apk files (version 2) and APKINDEX.

mod commands;
pub mod container;
mod format;
pub mod index;
pub mod inspect;
mod native;
pub mod placement;
mod repo_indexes;
pub mod version;

#[cfg(test)]
pub(crate) mod samples;

pub use format::Alpine;
