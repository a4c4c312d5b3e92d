//! Versions of packages.

use crate::{
    id::{PackageId, VersionId},
    names::VersionName,
    timestamp::Timestamp,
};

/// A version.
#[derive(Debug, Clone)]
pub struct Version {
    /// Its database id.
    pub id: VersionId,
    /// The id of its package.
    pub package_id: PackageId,
    /// Its name.
    pub name: VersionName,
    /// Its ordinal among the package's versions, from 1; never reused.
    pub ordinal: i64,
    /// When it was created.
    pub created: Timestamp,
    /// When the version, or something in it, last changed.
    pub updated: Timestamp,
    /// The number of its published files.
    pub published_files: i64,
    /// When its first file was published: its windows start here.
    pub first_published: Option<Timestamp>,
    /// Whether it has staged files and never had a published one: only publishers may see it.
    pub is_draft: bool,
    /// The editable fields.
    pub profile: VersionProfile,
}

/// The editable fields of a version.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VersionProfile {
    /// A description of its changes.
    pub description: String,
    /// Labels for searches.
    pub labels: Vec<String>,
    /// Its tag in the source repository.
    pub vcs_tag: Option<String>,
    /// Whether release notes come from that tag.
    pub github_use_tag_release_notes: bool,
    /// The file with the release notes in the source repository.
    pub github_release_notes_file: Option<String>,
    /// When it was released.
    pub released: Option<Timestamp>,
}

/// A version in the list of its package.
#[derive(Debug, Clone)]
pub struct VersionListItem {
    /// Its database id.
    pub id: VersionId,
    /// The id of its package.
    pub package_id: PackageId,
    /// Its name.
    pub name: String,
    /// Whether it has a published file.
    pub is_published: bool,
    /// Whether only publishers may see it.
    pub is_draft: bool,
}
