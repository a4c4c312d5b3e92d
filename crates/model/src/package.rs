//! Packages.

mod field;
mod profile;

pub use field::{FieldEdit, FieldValue};
pub use profile::{PackageChange, PackageProfile};

use crate::{
    id::{PackageId, RepoId},
    names::PackageName,
    timestamp::Timestamp,
};

/// A package.
#[derive(Debug, Clone)]
pub struct Package {
    /// Its database id.
    pub id: PackageId,
    /// The id of its repository.
    pub repo_id: RepoId,
    /// Its name.
    pub name: PackageName,
    /// The sum of all ratings.
    pub rating_sum: i64,
    /// The number of ratings.
    pub rating_count: i64,
    /// The number of followers.
    pub followers_count: i64,
    /// When it was created.
    pub created: Timestamp,
    /// When the package, or something in it, last changed.
    pub updated: Timestamp,
    /// The editable fields.
    pub profile: PackageProfile,
}

/// A package in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackageListItem {
    /// Its name.
    pub name: String,
    /// Whether it is linked in from another repository.
    pub is_linked: bool,
}
