//! Debian repositories: .deb and .dsc files, `Packages`, `Sources` and `Release`.

pub mod index;
pub mod inspect;
pub mod names;
pub mod placement;
pub mod release;
pub mod source;
pub mod stream;
pub mod version;

#[cfg(test)]
pub(crate) mod samples;
