//! Indexes of a format: texts that the server builds from published files.

use model::file_path::FilePath;

use crate::format::{Facts, PackageView, PublishedFile};

/// Indexes that list the files below their folder, such as Maven's. They are signed if the repository signs metadata.
pub trait FolderIndexes: Send + Sync {
    /// The indexes that change when a file at this path, with these facts, is published or deleted.
    fn dirty(&self, path: &FilePath, facts: Option<&Facts>) -> Vec<FilePath>;

    /// Builds an index of the published files below its folder, ordered by path; `None` if no such index exists.
    fn build(&self, index: &FilePath, files: &[PublishedFile]) -> Option<String>;
}

/// Indexes that list one package. Everyone who may read the package may read them.
pub trait PackageIndexes: Send + Sync {
    /// Whether indexes are made of what the format has found in content. If not, the facts in the rows of files are
    /// enough, and the rest is not read.
    fn needs_about(&self) -> bool {
        true
    }

    /// Builds all indexes of a package. A package without published files has none.
    fn build(&self, package: &PackageView) -> Result<Vec<IndexText>, String>;
}

/// A generated text at a path of the repository. It may contain the marker of the repository's URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexText {
    /// The path.
    pub path: FilePath,
    /// The text.
    pub content: String,
}
