//! A package as its indexes need it. Sizes and checksums come from the store, never from the package.

use database::content::marks;
use model::{
    digest::Digest,
    file_path::FilePath,
    names::{PackageName, VersionName},
    package::PackageProfile,
    timestamp::Timestamp,
};

use crate::format::Facts;

/// A package with its published versions.
#[derive(Debug, Clone)]
pub struct PackageView {
    /// Its name.
    pub name: PackageName,
    /// The subject that owns it.
    pub owner: String,
    /// When it was created.
    pub created: Timestamp,
    /// When it, or something in it, last changed.
    pub updated: Timestamp,
    /// The editable fields.
    pub profile: PackageProfile,
    /// Its tags with the versions that they point to, by name.
    pub tags: Vec<(String, VersionName)>,
    /// Its versions that have published files, in the order of their creation.
    pub versions: Vec<VersionView>,
}

/// A version with its published files.
#[derive(Debug, Clone)]
pub struct VersionView {
    /// Its name.
    pub name: VersionName,
    /// When its first file was published.
    pub published: Timestamp,
    /// The marks on it, by name.
    pub marks: Vec<MarkView>,
    /// Its published files, by path.
    pub files: Vec<FileView>,
}

/// A mark on a version, such as `yanked`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarkView {
    /// The kind of mark.
    pub name: String,
    /// The text for readers, which may be empty.
    pub text: String,
}

/// A published file.
#[derive(Debug, Clone)]
pub struct FileView {
    /// Its path in the repository.
    pub path: FilePath,
    /// Its size.
    pub size_bytes: u64,
    /// Its SHA-256.
    pub sha256: Digest,
    /// Its SHA-1 in hexadecimal digits.
    pub sha1: String,
    /// Its MD5 in hexadecimal digits, if it is known.
    pub md5: Option<String>,
    /// Its SHA-512 in hexadecimal digits, if it is known.
    pub sha512: Option<String>,
    /// When it was published.
    pub published: Timestamp,
    /// The facts in its row.
    pub facts: Option<Facts>,
    /// What the format has found in its content.
    pub about: Option<Vec<u8>>,
}

impl VersionView {
    /// The text of a mark, if the version has it.
    pub fn mark(&self, name: &str) -> Option<&str> {
        self.marks.iter().find(|mark| mark.name == name).map(|mark| mark.text.as_str())
    }
}

impl From<&marks::Mark> for MarkView {
    fn from(mark: &marks::Mark) -> Self {
        Self { name: mark.name.clone(), text: mark.text.clone() }
    }
}
