//! The usage of repositories: downloaded and stored bytes.

use crate::id::{RepoId, SubjectId};

/// The scope of usage: all repositories of an owner, or one of them.
#[derive(Debug, Clone, Copy)]
pub struct UsageScope {
    /// The id of the owner.
    pub owner_id: SubjectId,
    /// The id of the repository.
    pub repo_id: Option<RepoId>,
}

/// The usage of a package.
#[derive(Debug, Clone)]
pub struct PackageUsage {
    /// The package's name.
    pub package: String,
    /// The bytes of its files, published and staged.
    pub storage_bytes: i64,
    /// The number of its files.
    pub file_count: i64,
}

/// Thresholds of usage; an absent value means no threshold.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Thresholds {
    /// Bytes stored at any time in a month.
    pub monthly_storage_bytes: Option<i64>,
    /// Bytes downloaded in a month.
    pub monthly_download_bytes: Option<i64>,
    /// Bytes downloaded in a day.
    pub daily_download_bytes: Option<i64>,
}
