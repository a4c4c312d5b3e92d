//! Packages.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{AttributeValues, flag::maybe_flag, patch::present};

/// A package in a list.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct PackageSummary {
    /// Its name.
    pub name: String,
    /// Whether it is linked in from another repository.
    pub linked: bool,
}

/// A package.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Package {
    /// Its name.
    pub name: String,
    /// The repository it is in.
    pub repo: String,
    /// The owner of that repository.
    pub owner: String,
    /// What it is.
    pub desc: String,
    /// Words to find it by.
    pub labels: Vec<String>,
    /// The names of its attributes.
    pub attribute_names: Vec<String>,
    /// Its licences of the list that all packages choose from.
    pub licenses: Vec<String>,
    /// Its licences of the owner's own list.
    pub custom_licenses: Vec<String>,
    /// The average of its ratings, rounded; 0 without any.
    pub rating: i64,
    /// How many have rated it.
    pub rating_count: i64,
    /// How many follow it.
    pub followers_count: i64,
    /// When it was made.
    pub created: String,
    /// When it, or something in it, last changed.
    pub updated: String,
    /// Where to read more.
    pub website_url: Option<String>,
    /// Where to report problems.
    pub issue_tracker_url: Option<String>,
    /// Where the source is.
    pub vcs_url: Option<String>,
    /// What only publishers see.
    #[serde(flatten)]
    pub publisher: Option<PublisherFields>,
    /// The repositories it is linked into, as `subject/repo`.
    pub linked_to_repos: Vec<String>,
    /// The names of its versions, newest first.
    pub versions: Vec<String>,
    /// The latest version with a published file, or else the latest, by the order of the repository's type.
    pub latest_version: Option<String>,
    /// Its tags with the versions that they point to; absent if it has none.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tags: BTreeMap<String, String>,
    /// The values of its attributes, by their names, when they are asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attributes: Option<AttributeValues>,
}

/// Fields of a package that only publishers see.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct PublisherFields {
    /// The repository at GitHub.
    pub github_repo: Option<String>,
    /// The file of release notes there, under the contract's name.
    pub github_release_notes: Option<String>,
    /// The same value, under the name that existing clients read.
    pub github_release_notes_file: Option<String>,
    /// Whether everyone may see how often it was downloaded.
    pub public_download_numbers: bool,
    /// The same under another name that old clients use.
    pub public_stats: bool,
}

/// The body that creates a package.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct NewPackage {
    /// Its name.
    pub name: String,
    /// Everything else.
    #[serde(flatten)]
    pub change: PackageChange,
}

/// The body that changes a package. Absent fields stay unchanged.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct PackageChange {
    /// What it is.
    pub desc: Option<String>,
    /// Words to find it by.
    pub labels: Option<Vec<String>>,
    /// Its licences of the list that all packages choose from.
    pub licenses: Option<Vec<String>>,
    /// Its licences of the owner's own list.
    pub custom_licenses: Option<Vec<String>>,
    /// Where to read more; null removes it.
    #[serde(default, deserialize_with = "present")]
    pub website_url: Option<Option<String>>,
    /// Where to report problems; null removes it.
    #[serde(default, deserialize_with = "present")]
    pub issue_tracker_url: Option<Option<String>>,
    /// Where the source is; null removes it.
    #[serde(default, deserialize_with = "present")]
    pub vcs_url: Option<Option<String>>,
    /// The repository at GitHub; null removes it.
    #[serde(default, deserialize_with = "present")]
    pub github_repo: Option<Option<String>>,
    /// The file of release notes there; null removes it.
    #[serde(default, deserialize_with = "present")]
    pub github_release_notes: Option<Option<String>>,
    /// Another name of the same value.
    #[serde(default, deserialize_with = "present")]
    pub github_release_notes_file: Option<Option<String>>,
    /// Whether everyone may see how often it was downloaded.
    #[serde(default, deserialize_with = "maybe_flag")]
    pub public_download_numbers: Option<bool>,
    /// The same under another name that old clients use; the two may not differ.
    #[serde(default, deserialize_with = "maybe_flag")]
    pub public_stats: Option<bool>,
}
