//! CRAN repositories of R packages: source and binary archives, and PACKAGES.

mod format;
pub mod index;
pub mod inspect;
mod native;
pub mod placement;
pub mod version;

pub use format::Cran;
