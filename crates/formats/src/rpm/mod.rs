//! RPM repositories: .rpm files, `primary`, `filelists`, `other` and `repomd.xml`.

mod commands;
pub mod dependencies;
mod format;
pub mod fragments;
pub mod header;
pub mod index;
pub mod inspect;
pub mod placement;
pub mod repomd;
pub mod version;

mod tags;
mod xml;

#[cfg(test)]
pub(crate) mod samples;

pub use format::Rpm;
