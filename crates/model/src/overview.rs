//! What lists show of repositories, packages and versions: the answers that people look for before they open one.

use crate::{
    id::{KeyId, PackageId, RepoId, VersionId},
    timestamp::Timestamp,
};

/// A repository in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepoOverview {
    /// Its database id.
    pub id: RepoId,
    /// Its owner's name.
    pub owner: String,
    /// Its name.
    pub name: String,
    /// The format of its packages.
    pub kind: String,
    /// Whether it is hidden from callers without read access.
    pub is_private: bool,
    /// Its description.
    pub description: String,
    /// The number of its own packages.
    pub package_count: i64,
}

/// An organization in a list, with what the viewer may see of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrgOverview {
    /// Its name.
    pub name: String,
    /// The number of its repositories.
    pub repos: i64,
    /// The number of the packages in them.
    pub packages: i64,
}

/// What happened in a repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ActivityKind {
    /// A version was published for the first time.
    Release,
    /// A file, a version or a package was deleted.
    Deletion,
}

/// Something that happened in a repository, in a list of the newest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepoEvent {
    /// When it happened.
    pub at: Timestamp,
    /// What happened.
    pub kind: ActivityKind,
    /// The owner of the repository.
    pub owner: String,
    /// The repository.
    pub repo: String,
    /// The package; empty if it concerns all.
    pub package: String,
    /// The version; empty if it concerns all.
    pub version: String,
    /// The path of the file, if it concerns one.
    pub path: Option<String>,
    /// The name of the actor.
    pub actor: String,
    /// Whether the version still exists.
    pub is_there: bool,
}

/// A package in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackageOverview {
    /// Its database id.
    pub id: PackageId,
    /// Its name, in the repository of the list.
    pub name: String,
    /// Its description.
    pub description: String,
    /// Its licences, including custom ones.
    pub licenses: Vec<String>,
    /// When the package, or something in it, last changed.
    pub updated: Timestamp,
    /// Whether everyone may see its download statistics.
    pub has_public_numbers: bool,
    /// The newest version with a published file.
    pub latest_version: Option<String>,
    /// Whether it is linked in from another repository.
    pub is_linked: bool,
}

/// A version in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VersionOverview {
    /// Its database id.
    pub id: VersionId,
    /// Its name.
    pub name: String,
    /// When it was created.
    pub created: Timestamp,
    /// When it was released, or first published; `None` before that.
    pub released: Option<Timestamp>,
    /// The number of its published files without signatures; of a draft, the number of staged ones.
    pub files: i64,
    /// The size of these files in bytes.
    pub bytes: i64,
    /// Whether it has staged files and no file was ever published.
    pub is_draft: bool,
    /// Whether one of its published files is a signature.
    pub is_signed: bool,
    /// Whether it is marked as yanked.
    pub is_yanked: bool,
}

/// The packages of a list over the whole server; an empty field leaves out nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct PackageFilter<'f> {
    /// The format of their repositories.
    pub format: &'f str,
    /// A label that they have, in any case.
    pub label: &'f str,
}

impl PackageFilter<'_> {
    /// Whether it leaves out nothing.
    pub fn is_empty(self) -> bool {
        self.format.is_empty() && self.label.is_empty()
    }
}

/// A release in a list of the newest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReleaseOverview {
    /// The id of its version.
    pub id: VersionId,
    /// The id of its repository.
    pub repo_id: RepoId,
    /// The owner of its repository.
    pub owner: String,
    /// Its repository.
    pub repo: String,
    /// The format of the repository.
    pub kind: String,
    /// Whether the repository is private.
    pub is_private: bool,
    /// Its package.
    pub package: String,
    /// The description of the package.
    pub description: String,
    /// The labels of the package.
    pub labels: Vec<String>,
    /// The licences of the package, including custom ones.
    pub licenses: Vec<String>,
    /// Its version.
    pub version: String,
    /// When its first file was published.
    pub published: Timestamp,
    /// The downloads of its package in thirty days, if everybody may see them.
    pub downloads: Option<i64>,
}

/// A package in the list of those with the most downloads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PopularPackage {
    /// Its id.
    pub id: PackageId,
    /// The owner of its repository.
    pub owner: String,
    /// Its repository.
    pub repo: String,
    /// The format of the repository.
    pub kind: String,
    /// Whether the repository is private.
    pub is_private: bool,
    /// Its name.
    pub name: String,
    /// Its description.
    pub description: String,
    /// Its labels.
    pub labels: Vec<String>,
    /// Its licences, including custom ones.
    pub licenses: Vec<String>,
    /// Its latest version with a published file.
    pub latest_version: Option<String>,
    /// When something in it last changed.
    pub updated: Timestamp,
    /// Its downloads in thirty days.
    pub downloads: i64,
}

/// A repository that an access key may read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenedRepo {
    /// Its id.
    pub id: RepoId,
    /// Its owner.
    pub owner: String,
    /// Its name.
    pub name: String,
    /// Its format.
    pub kind: String,
    /// Its description.
    pub description: String,
    /// The number of its packages.
    pub package_count: i64,
}

/// A part of a repository that an access key may read: a package, a version or a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenedPart {
    /// The owner of the repository.
    pub owner: String,
    /// The name of the repository.
    pub repo: String,
    /// The format of the repository.
    pub kind: String,
    /// The id of the package; `None` for a path.
    pub package_id: Option<PackageId>,
    /// The package; `None` for a path.
    pub package: Option<String>,
    /// The description of the package.
    pub description: Option<String>,
    /// The licences of the package, including custom ones.
    pub licenses: Vec<String>,
    /// The version, if the key opens only that one.
    pub version: Option<String>,
    /// Whether that version is marked as yanked.
    pub is_yanked: bool,
    /// The path.
    pub path: Option<String>,
}

/// An access key in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyOverview {
    /// Its database id.
    pub id: KeyId,
    /// Its name.
    pub name: String,
    /// When it expires, in milliseconds.
    pub expiry: Option<i64>,
    /// The number of downloads that it allows.
    pub max_downloads: Option<i64>,
    /// The number of downloads with it; `None` if it was never used.
    pub downloads: Option<i64>,
    /// When it was last used, in milliseconds.
    pub last_used: Option<i64>,
}

/// Something that an access key opens: a repository or a part of it, or a product. Names that do not apply are empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KeyRight {
    /// The owner of the repository.
    pub owner: Option<String>,
    /// The repository.
    pub repo: Option<String>,
    /// The package.
    pub package: Option<String>,
    /// The version.
    pub version: Option<String>,
    /// The file or folder.
    pub path: Option<String>,
    /// The name of the product.
    pub product: Option<String>,
}
