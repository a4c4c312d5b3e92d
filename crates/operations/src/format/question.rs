//! Questions of native clients that rows answer, and those rows.

use model::{names::PackageName, timestamp::Timestamp};

use crate::format::PackageView;

/// A question of a native client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Question {
    /// About the repository itself.
    Repo,
    /// All packages with published versions, by name. The answer is cached for everyone who may read the repository: it
    /// may depend on the names, the media type and the query only.
    Packages,
    /// Packages that match a text.
    Search {
        /// The text; an empty one matches all.
        text: String,
        /// The number of matches to skip.
        offset: u64,
        /// The maximum number of matches to return; at most 250 are.
        limit: u64,
    },
    /// Packages that match a text, each with its versions and their marks. The latest version has its files.
    SearchVersions {
        /// The text; an empty one matches all.
        text: String,
        /// The number of matches to skip.
        offset: u64,
        /// The maximum number of matches to return; at most 250 are.
        limit: u64,
    },
    /// All published versions with their packages, or those of one package.
    Versions(Option<PackageName>),
    /// The users who may publish.
    Publishers,
    /// The caller.
    Caller,
    /// A package with its versions, marks and tags, but without files.
    Package(PackageName),
    /// A package with the paths of the files of one of its versions, or of the newest ones. Publishers also see what is
    /// staged.
    Drafts {
        /// The package.
        package: PackageName,
        /// The name of the version.
        version: Option<String>,
    },
    /// A package with one version and its files, by the name of the version or of a tag.
    Version(PackageName, String),
}

/// The rows that answer a question.
#[derive(Debug, Clone)]
pub enum Rows {
    /// The repository.
    Repo {
        /// Whether it is private.
        is_private: bool,
    },
    /// Packages.
    Packages {
        /// The packages that the caller may see.
        packages: Vec<PackageSummary>,
        /// The number of all matches.
        total: u64,
        /// The time of the answer.
        at: Timestamp,
    },
    /// Packages with their versions, but without files.
    Found {
        /// The packages that the caller may see.
        packages: Vec<PackageView>,
        /// The number of all matches.
        total: u64,
    },
    /// Names of packages and versions.
    Versions(Vec<(String, String)>),
    /// Users.
    Publishers(Vec<Publisher>),
    /// The name of the caller, if they are signed in.
    Caller(Option<String>),
    /// A package that the caller may read.
    Package(Box<PackageView>),
    /// A package with the paths of its files.
    Drafts(Box<PackageDrafts>),
}

/// A package as its publishers see it.
#[derive(Debug, Clone)]
pub struct PackageDrafts {
    /// Its name.
    pub name: PackageName,
    /// Its description.
    pub description: String,
    /// When it was created.
    pub created: Timestamp,
    /// When it, or something in it, last changed.
    pub updated: Timestamp,
    /// Its newest versions, the newest first.
    pub versions: Vec<DraftView>,
}

/// A version of such a package.
#[derive(Debug, Clone)]
pub struct DraftView {
    /// Its name.
    pub name: String,
    /// Whether it has published files.
    pub is_published: bool,
    /// The paths of its files; staged ones for publishers only.
    pub paths: Vec<String>,
}

/// A package in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackageSummary {
    /// Its name.
    pub name: String,
    /// Its latest version.
    pub latest_version: Option<String>,
    /// Its description.
    pub description: Option<String>,
    /// Its labels.
    pub labels: Vec<String>,
    /// Its website.
    pub website: Option<String>,
    /// When it, or something in it, last changed.
    pub updated: Timestamp,
}

/// A user who may publish.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Publisher {
    /// A number that identifies the user.
    pub id: u64,
    /// The user's name.
    pub name: String,
    /// The full name.
    pub full_name: Option<String>,
}
