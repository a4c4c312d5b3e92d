//! Repositories, packages, versions and their metadata.

pub(crate) mod attribute_values;
pub(crate) mod package_positions;

pub mod attributes;
pub mod blocks;
pub mod custom_licenses;
pub mod deleted_repos;
pub mod documents;
pub mod latest_versions;
pub mod links;
pub mod org_overviews;
pub mod overviews;
pub mod package_list;
pub mod package_orders;
pub mod packages;
pub mod releases;
pub mod renderings;
pub mod repo_activity;
pub mod repo_rows;
pub mod repos;
pub mod version_builds;
pub mod versions;
