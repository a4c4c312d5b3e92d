//! conda channels: .conda and .tar.bz2 files, repodata.json and shards.

pub mod index;
pub mod inspect;
pub mod record;
pub mod shards;
pub mod version;

mod msgpack;

#[cfg(test)]
pub(crate) mod samples;
