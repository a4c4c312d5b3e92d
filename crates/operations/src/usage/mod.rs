//! Monthly usage of subjects and repositories, and the size of packages. For their owners.

mod months;
mod packages;
mod popular;
mod samples;

pub mod statistics;
pub mod usage_thresholds;

pub use months::{MonthRange, Usage, list_of_repo, list_of_subject};
pub use packages::{list_packages, show_package};
pub use popular::list_popular;

pub(crate) use popular::count_popular;
pub(crate) use samples::record_storage;
