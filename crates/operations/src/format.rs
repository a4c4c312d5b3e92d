//! The interface of a repository format: it assigns paths, checks content, and builds indexes of published files.
//! Storing, publishing, serving and access are the same for all formats and are not part of it.

use model::{checksum::ChecksumFile, file_path::FilePath, names::VersionName};

/// A repository format.
pub trait Format: Send + Sync + std::fmt::Debug {
    /// The `type` of the repositories that use it.
    fn name(&self) -> &'static str;

    /// Whether it has indexes at all.
    fn builds_indexes(&self) -> bool;

    /// Classifies a path in such a repository; returns the reason if no file may be there.
    fn classify(&self, path: &FilePath) -> Result<PathKind, String>;

    /// Returns whether a file at this path never changes once its version is closed; builds of a snapshot may be
    /// uploaded again.
    fn is_lasting(&self, path: &FilePath) -> bool;

    /// The number of leading bytes of a file that [`Format::inspect`] needs; most files are not inspected.
    fn inspected_bytes(&self, path: &FilePath) -> Option<usize>;

    /// Inspects a file's content and returns the facts that indexes need later, or the reason of a rejection.
    fn inspect(&self, path: &FilePath, content: &[u8]) -> Result<Option<Facts>, String>;

    /// The indexes that change when a file at this path, with these facts, is published or deleted.
    fn dirty(&self, path: &FilePath, facts: Option<&Facts>) -> Vec<FilePath>;

    /// Builds an index of the published files below its folder, ordered by path; `None` if no such index exists.
    fn build(&self, index: &FilePath, files: &[PublishedFile]) -> Option<String>;

    /// Lists all problems that prevent the published files of a version from being accepted by a public registry. The
    /// files that [`Format::inspected_bytes`] selects come with their content.
    fn release_gaps(&self, files: &[ReleaseFile]) -> Vec<String>;
}

/// A file to release to a public registry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReleaseFile {
    /// Its path in the repository.
    pub path: FilePath,
    /// Its content, if the format inspects it.
    pub content: Option<Vec<u8>>,
}

/// The kind of a path in a format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PathKind {
    /// A file of a version, with its name if the path contains it.
    Payload(Option<VersionName>),
    /// The checksum of another file: compared on upload, computed on download.
    Checksum(ChecksumFile),
    /// An index that the server builds: uploads to it are ignored.
    Index,
}

/// The facts that a format stores about a file, in its own notation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts(pub String);

/// A published file, as input for an index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublishedFile {
    /// Its path in the repository.
    pub path: FilePath,
    /// The facts that the format stores about it.
    pub facts: Option<Facts>,
    /// The time it was published, in milliseconds since the start of 1970.
    pub published: i64,
}
