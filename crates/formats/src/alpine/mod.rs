//! Alpine repositories: .apk files (version 2) and APKINDEX.

pub mod container;
pub mod index;
pub mod inspect;
pub mod placement;
pub mod version;

#[cfg(test)]
pub(crate) mod samples;
