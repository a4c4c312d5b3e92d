//! Packages.

use crate::{names::PackageName, timestamp::Timestamp};

/// A package.
#[derive(Debug, Clone)]
pub struct Package {
    /// Its database id.
    pub id: i64,
    /// The id of its repository.
    pub repo_id: i64,
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

/// The editable fields of a package.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PackageProfile {
    /// Its description.
    pub description: String,
    /// Labels for searches.
    pub labels: Vec<String>,
    /// Licences from the list in the contract.
    pub licenses: Vec<String>,
    /// Custom licences of the owner.
    pub custom_licenses: Vec<String>,
    /// The URL of its website.
    pub website_url: Option<String>,
    /// The URL of its issue tracker.
    pub issue_tracker_url: Option<String>,
    /// The URL of its source repository.
    pub vcs_url: Option<String>,
    /// The repository on GitHub.
    pub github_repo: Option<String>,
    /// The file with the release notes in that repository.
    pub github_release_notes_file: Option<String>,
    /// Whether everyone may see the download statistics.
    pub public_download_numbers: bool,
}

/// A package in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackageListItem {
    /// Its name.
    pub name: String,
    /// Whether it is linked in from another repository.
    pub is_linked: bool,
}
