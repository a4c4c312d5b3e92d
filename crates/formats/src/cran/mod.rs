//! CRAN repositories of R packages: source and binary archives, and PACKAGES.

pub mod index;
pub mod inspect;
pub mod placement;
pub mod version;
