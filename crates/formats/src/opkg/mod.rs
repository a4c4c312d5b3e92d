//! opkg feeds: .ipk files and `Packages`. Most of it is Debian's.

mod format;
pub mod index;
pub mod inspect;
mod native;
pub mod placement;

/// The order of versions, which is dpkg's.
pub mod version {
    pub use crate::debian::version::{compare, is_prerelease};
}

pub use format::Opkg;
