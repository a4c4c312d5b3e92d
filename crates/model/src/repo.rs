//! Repositories.

use crate::{
    access::Right,
    id::{RepoId, SubjectId},
    names::{RepoName, SubjectName},
    plan::Plan,
    timestamp::Timestamp,
};

/// A repository.
#[derive(Debug, Clone)]
pub struct Repo {
    /// Its database id.
    pub id: RepoId,
    /// The id of its owner.
    pub owner_id: SubjectId,
    /// The name of its owner.
    pub owner: SubjectName,
    /// The plan of its owner.
    pub plan: Plan,
    /// Its name.
    pub name: RepoName,
    /// When it was created.
    pub created: Timestamp,
    /// The number of its own packages.
    pub package_count: i64,
    /// The format of its packages.
    pub kind: String,
    /// The history of its upload window.
    pub window: WindowHistory,
    /// The storage quotas of the repository and its owner, in bytes.
    pub quotas: RepoQuotas,
    /// The editable fields.
    pub profile: RepoProfile,
}

/// The history of a repository's upload window: closed versions stay closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WindowHistory {
    /// Versions that were first published before this time are closed, however long the window is now.
    pub closed_before: Timestamp,
    /// When the window last changed.
    pub changed: Timestamp,
}

impl Default for WindowHistory {
    fn default() -> Self {
        Self { closed_before: Timestamp::EPOCH, changed: Timestamp::EPOCH }
    }
}

/// The editable fields of a repository.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RepoProfile {
    /// Whether it is hidden from callers without read access.
    pub is_private: bool,
    /// Its description.
    pub description: String,
    /// Labels for searches.
    pub labels: Vec<String>,
    /// Whether the server signs index files.
    pub gpg_sign_metadata: bool,
    /// Whether the server signs files.
    pub gpg_sign_files: bool,
    /// Whether the owner's key signs, instead of the server's.
    pub gpg_use_owner_key: bool,
    /// Its own upload window, in days.
    pub version_update_max_days: Option<i64>,
    /// The default distribution of Debian repositories.
    pub default_debian_distribution: Option<String>,
    /// The default component of Debian repositories.
    pub default_debian_component: Option<String>,
    /// The default architecture of Debian repositories.
    pub default_debian_architecture: Option<String>,
    /// The metadata depth of RPM repositories.
    pub yum_metadata_depth: Option<i64>,
    /// For Debian repositories: the number of days after which clients refuse an index.
    pub debian_valid_days: Option<i64>,
    /// For Debian repositories: whether indexes list the files in packages.
    pub debian_contents: bool,
    /// Whether uploads by the format's own clients stay staged until they are published.
    pub native_staged: bool,
    /// For container images: the number of days after which manifests without a tag are removed.
    pub untagged_days: Option<i64>,
}

/// A repository, and the caller's right in the whole repository.
#[derive(Debug, Clone)]
pub struct RepoWithRight {
    /// The repository.
    pub repo: Repo,
    /// The right that is granted to the caller.
    pub granted: Right,
}

/// A repository in a list.
#[derive(Debug, Clone)]
pub struct RepoListItem {
    /// Its name.
    pub name: String,
    /// Its owner's name.
    pub owner: String,
}

/// The quotas that apply to a repository, where they were set individually.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RepoQuotas {
    /// The repository's own quota.
    pub of_repo: Option<i64>,
    /// Its owner's quota.
    pub of_owner: Option<i64>,
}
