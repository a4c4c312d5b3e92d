//! What waits for a user.

use crate::timestamp::Timestamp;

/// A version with files that wait to be published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StagedVersion {
    /// The owner of its repository.
    pub owner: String,
    /// Its repository.
    pub repo: String,
    /// The format of the repository.
    pub kind: String,
    /// Its package.
    pub package: String,
    /// Its name.
    pub version: String,
    /// Whether the repository is private.
    pub is_private: bool,
    /// Whether it was never published: readers do not see it.
    pub is_draft: bool,
    /// The licences of the package, including custom ones.
    pub licenses: Vec<String>,
    /// When it was created.
    pub created: Timestamp,
    /// The number of staged files.
    pub files: i64,
    /// Their bytes.
    pub bytes: i64,
}

/// A webhook whose last callbacks failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailingWebhook {
    /// The owner of its repository.
    pub owner: String,
    /// Its repository.
    pub repo: String,
    /// Its package.
    pub package: String,
    /// Where callbacks go.
    pub url: String,
    /// The number of callbacks in a row that failed.
    pub failures: i64,
    /// Whether it is still called.
    pub is_active: bool,
}
