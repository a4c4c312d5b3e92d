//! Arch Linux repositories: .pkg.tar files, and the databases of pacman.

pub mod index;
pub mod inspect;
pub mod placement;
pub mod version;

#[cfg(test)]
pub(crate) mod samples;
