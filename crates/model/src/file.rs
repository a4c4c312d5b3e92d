//! Files of repositories.

use crate::{
    file_path::FilePath,
    id::{BlobId, PackageId, RepoId, VersionId},
    names::{PackageName, RepoName, SubjectName, VersionName},
    timestamp::Timestamp,
};

/// A file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Its database id.
    pub id: i64,
    /// The id of its repository.
    pub repo_id: RepoId,
    /// The id of its package.
    pub package_id: PackageId,
    /// The id of its version.
    pub version_id: VersionId,
    /// Its path in the repository.
    pub path: FilePath,
    /// The content that readers see.
    pub published: Option<FileContent>,
    /// The content for the next publish.
    pub staged: Option<FileContent>,
}

/// The content of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileContent {
    /// The id of its blob.
    pub blob_id: BlobId,
    /// The facts that the repository's format has extracted from it.
    pub facts: Option<String>,
}

/// A file in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedFile {
    /// Its path in the repository.
    pub path: FilePath,
    /// The name of its package.
    pub package: PackageName,
    /// The name of its version.
    pub version: VersionName,
    /// The name of its repository.
    pub repo: RepoName,
    /// The name of the repository's owner.
    pub owner: SubjectName,
    /// When it was created.
    pub created: Timestamp,
    /// The size of its content in bytes.
    pub size: i64,
    /// The SHA-1 of its content, in hexadecimal digits, if it has been computed.
    pub sha1: Option<String>,
    /// The SHA-256 of its content, in hexadecimal digits.
    pub sha256: String,
}

/// The files to list, and the content to list of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileListState {
    /// Published files, with their published content.
    Published,
    /// All files, with their latest content, staged or published.
    Newest,
    /// Files with staged content, with that content.
    Staged,
}
