//! RPM repositories: .rpm files, `primary`, `filelists`, `other` and `repomd.xml`.

mod commands;
pub mod dependencies;
pub mod extras;
mod format;
pub mod fragments;
pub mod header;
pub mod index;
mod index_kind;
pub mod inspect;
mod native;
pub mod placement;
mod repo_indexes;
pub mod repomd;
pub mod version;

mod tags;
mod xml;

#[cfg(test)]
pub(crate) mod samples;

pub use format::Rpm;
