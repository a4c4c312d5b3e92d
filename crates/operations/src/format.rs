//! What a repository format knows: whose a path is, what bytes must say, and which index files follow from what is
//! published. Storing, publishing, serving and access are the same for all of them and stay out of formats.

use model::{checksum::ChecksumFile, file_path::FilePath, names::VersionName};

/// A kind of repository.
pub trait Format: Send + Sync + std::fmt::Debug {
    /// The `type` of the repositories that use it.
    fn name(&self) -> &'static str;

    /// Whether it has index files at all.
    fn builds_indexes(&self) -> bool;

    /// What a path is in such a repository; the reason when no file may lie there.
    fn classify(&self, path: &FilePath) -> Result<PathKind, String>;

    /// Whether a file at this path stays as it is for ever once its version is closed; builds of a snapshot may come again.
    fn is_lasting(&self, path: &FilePath) -> bool;

    /// How many first bytes of a file [`Format::inspect`] wants to see; most files are not looked into.
    fn inspected_bytes(&self, path: &FilePath) -> Option<usize>;

    /// Looks at a file's content, and says what indexes need to know of it later; the reason when it is refused.
    fn inspect(&self, path: &FilePath, content: &[u8]) -> Result<Option<Facts>, String>;

    /// The index files that change when a file at this path, with these facts, is published or goes.
    fn dirty(&self, path: &FilePath, facts: Option<&Facts>) -> Vec<FilePath>;

    /// The index built from what is published below its folder, ordered by path; `None` when there is no such index.
    fn build(&self, index: &FilePath, files: &[PublishedFile]) -> Option<String>;

    /// What keeps the published files of a version from a public registry, all of it. The files that
    /// [`Format::inspected_bytes`] wants to see come with their content.
    fn release_gaps(&self, files: &[ReleaseFile]) -> Vec<String>;
}

/// A file that is to be released elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReleaseFile {
    /// Its path in the repository.
    pub path: FilePath,
    /// Its content, as far as the format looks into it.
    pub content: Option<Vec<u8>>,
}

/// What a path is to a format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PathKind {
    /// A file of a version, which is named where the path tells it.
    Payload(Option<VersionName>),
    /// The checksum of another file: compared when it is sent, computed when it is asked for.
    Checksum(ChecksumFile),
    /// An index that the server makes: what a client sends is ignored.
    Index,
}

/// What a format remembers of a file, in its own words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts(pub String);

/// A published file, as an index is built from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublishedFile {
    /// Its path in the repository.
    pub path: FilePath,
    /// What the format remembers of it.
    pub facts: Option<Facts>,
    /// When it was published, in milliseconds since the start of 1970.
    pub published: i64,
}
