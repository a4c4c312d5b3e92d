//! Repositories, packages, versions and their descriptions.

pub(crate) mod deletions;
pub(crate) mod latest;
pub(crate) mod package_indexes;
pub(crate) mod package_view;
pub(crate) mod tombstones;
pub(crate) mod window;

pub mod attributes;
pub mod documents;
pub mod files;
pub mod licenses;
pub mod links;
pub mod org_overviews;
pub mod overviews;
pub mod package_list;
pub mod packages;
pub mod releases;
pub mod repo_activity;
pub mod repos;
pub(crate) mod updates;
pub mod versions;

pub use window::upload_end;
