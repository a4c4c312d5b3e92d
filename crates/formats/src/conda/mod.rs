//! conda channels: .conda and .tar.bz2 files, repodata.json and shards.

mod commands;
mod format;
pub mod index;
pub mod inspect;
mod native;
pub mod record;
pub mod shards;
pub mod version;

mod msgpack;

#[cfg(test)]
pub(crate) mod samples;

pub use format::Conda;
