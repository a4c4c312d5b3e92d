//! What native clients send, and what of it is published.

use model::{
    digest::Digest,
    file_path::FilePath,
    names::{PackageName, VersionName},
};

use crate::format::NativeChange;

/// A body, cut into its parts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sent {
    /// The text fields of a form, in the order in which they came.
    pub fields: Vec<(String, String)>,
    /// The document, or the text of a body without files.
    pub document: Vec<u8>,
    /// The files.
    pub files: Vec<SentFile>,
}

/// A file of a body, stored and hashed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentFile {
    /// The field of the form, or the key of the attachment.
    pub field: String,
    /// The file name that was sent, if any.
    pub file_name: String,
    /// Its size.
    pub size_bytes: u64,
    /// Its SHA-256.
    pub sha256: Digest,
    /// Its SHA-1 in hexadecimal digits.
    pub sha1: String,
    /// Its SHA-512 in hexadecimal digits, if the format needs it.
    pub sha512: Option<String>,
    /// What its inspection has found, if it was inspected already.
    pub about: Option<Vec<u8>>,
}

/// A file that a body lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedFile {
    /// Its path in the repository.
    pub path: FilePath,
    /// Its SHA-256.
    pub sha256: Digest,
}

/// What a body asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Accepted {
    /// Files to publish.
    Publish(Box<NativePublish>),
    /// Rows to change.
    Changes(Vec<NativeChange>),
}

/// Files of one version, with what a publish says about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NativePublish {
    /// The package, which is created if it does not exist.
    pub package: PackageName,
    /// The version, which is created if it does not exist.
    pub version: VersionName,
    /// The files.
    pub files: Vec<NativeFile>,
    /// Fills empty fields of the package.
    pub profile: NativeProfile,
    /// Tags to set on the version.
    pub tags: Vec<String>,
}

/// A file to publish.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NativeFile {
    /// Its position in [`Sent::files`].
    pub part: usize,
    /// Its path in the repository.
    pub path: FilePath,
    /// What the request says about it, for [`crate::format::Native::check_metadata`].
    pub metadata: Option<Vec<u8>>,
}

/// What a publish says about a package.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NativeProfile {
    /// The description.
    pub description: Option<String>,
    /// The licenses, as SPDX names.
    pub licenses: Vec<String>,
    /// The website.
    pub website: Option<String>,
    /// The source repository.
    pub vcs: Option<String>,
    /// The issue tracker.
    pub issue_tracker: Option<String>,
    /// Labels.
    pub labels: Vec<String>,
}
