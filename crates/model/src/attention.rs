//! What waits for a user.

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
    /// The number of staged files.
    pub files: i64,
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
