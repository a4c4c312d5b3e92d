//! Repositories.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{flag::maybe_flag, patch::present};

/// A repository in a list.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct RepoSummary {
    /// Its name.
    pub name: String,
    /// Its owner's name.
    pub owner: String,
}

/// A repository.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Repo {
    /// Its name.
    pub name: String,
    /// Its owner's name.
    pub owner: String,
    /// What it is for.
    pub desc: String,
    /// Words to find it by.
    pub labels: Vec<String>,
    /// When it was made.
    pub created: String,
    /// How many packages it has of its own.
    pub package_count: i64,
    /// What kind of packages it holds.
    #[serde(rename = "type")]
    pub kind: String,
    /// Whether it is hidden from those who may not read it.
    pub private: bool,
    /// Whether its owner's plan is premium or more.
    pub premium: bool,
    /// Whether index files are signed.
    pub gpg_sign_metadata: bool,
    /// Whether files are signed.
    pub gpg_sign_files: bool,
    /// Whether the owner's key signs, rather than the server's.
    pub gpg_use_owner_key: bool,
    /// Its own upload window, in days, when it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version_update_max_days: Option<i64>,
    /// Whether uploads by native clients stay staged until they are published; absent for types without such clients.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub native_staged: Option<bool>,
    /// For container images: the number of days after which manifests without a tag are removed, when it is set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub untagged_days: Option<i64>,
}

/// The body that creates a repository.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct NewRepo {
    /// What kind of packages it holds; generic when absent.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// Everything else.
    #[serde(flatten)]
    pub change: RepoChange,
}

/// The type of a new repository in a body. Parsed separately, so that an error names its field.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RepoKind {
    /// What kind of packages it holds; generic when absent.
    #[serde(rename = "type")]
    pub kind: Option<String>,
}

/// The body that changes a repository. Absent fields stay unchanged.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct RepoChange {
    /// Whether it is hidden from those who may not read it.
    #[serde(default, deserialize_with = "maybe_flag")]
    pub private: Option<bool>,
    /// What it is for.
    pub desc: Option<String>,
    /// Words to find it by.
    pub labels: Option<Vec<String>>,
    /// Whether index files are signed.
    #[serde(default, deserialize_with = "maybe_flag")]
    pub gpg_sign_metadata: Option<bool>,
    /// Whether files are signed.
    #[serde(default, deserialize_with = "maybe_flag")]
    pub gpg_sign_files: Option<bool>,
    /// Whether the owner's key signs, rather than the server's.
    #[serde(default, deserialize_with = "maybe_flag")]
    pub gpg_use_owner_key: Option<bool>,
    /// Its own upload window, in days; null removes it.
    #[serde(default, deserialize_with = "present")]
    pub version_update_max_days: Option<Option<i64>>,
    /// For Debian repositories.
    #[serde(default, deserialize_with = "present")]
    pub default_debian_distribution: Option<Option<String>>,
    /// For Debian repositories.
    #[serde(default, deserialize_with = "present")]
    pub default_debian_component: Option<Option<String>>,
    /// For Debian repositories.
    #[serde(default, deserialize_with = "present")]
    pub default_debian_architecture: Option<Option<String>>,
    /// For RPM repositories.
    #[serde(default, deserialize_with = "present")]
    pub yum_metadata_depth: Option<Option<i64>>,
    /// For Debian repositories: the number of days after which apt refuses an index.
    #[serde(default, deserialize_with = "present")]
    pub debian_valid_days: Option<Option<i64>>,
    /// For Debian repositories: whether `Contents` lists the files in packages.
    #[serde(default, deserialize_with = "maybe_flag")]
    pub debian_contents: Option<bool>,
    /// Whether uploads by native clients stay staged until they are published.
    #[serde(default, deserialize_with = "maybe_flag")]
    pub native_staged: Option<bool>,
    /// For container images: the number of days after which manifests without a tag are removed; null keeps them.
    #[serde(default, deserialize_with = "present")]
    pub untagged_days: Option<Option<i64>>,
}
