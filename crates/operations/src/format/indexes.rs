//! Indexes of a format: texts that the server builds from published files.

use std::ops::RangeInclusive;

use model::{
    file_path::FilePath,
    index_frame::{self, Sections},
};

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

    /// The same indexes in parts, if most of their text comes from versions one by one. A publish then renders a few
    /// versions and not all.
    fn in_sections(&self) -> Option<&dyn IndexSections> {
        None
    }

    /// Builds all indexes of a package. A package without published files has none.
    fn build(&self, package: &PackageView) -> Result<Vec<IndexText>, String>;
}

/// Indexes of a package whose texts are joined from sections.
pub trait IndexSections: Send + Sync {
    /// Renders what some versions of a package, in the order of their creation, add to each section. The number of
    /// sections is always the same.
    fn render(&self, package: &PackageView) -> Result<Vec<String>, String>;

    /// Whether frames show something of the latest version.
    fn shows_latest(&self) -> bool {
        false
    }

    /// Builds the frames that the sections go to. Of the versions, `package` has only those that frames show: the latest
    /// one, and the one with the tag `latest` if that is another.
    fn frames(&self, package: &PackageView) -> Result<Vec<IndexFrame>, String>;
}

/// A generated text at a path of the repository. It may contain the marker of the repository's URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexText {
    /// The path.
    pub path: FilePath,
    /// The text.
    pub content: String,
}

/// A generated text at a path of the repository, with places for sections (see `model::index_frame`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexFrame {
    /// The path.
    pub path: FilePath,
    /// The text with places.
    pub frame: String,
    /// The numbers of the sections in those places.
    pub sections: RangeInclusive<u8>,
}

/// Builds whole texts from sections.
pub fn build_joined(indexes: &dyn IndexSections, package: &PackageView) -> Result<Vec<IndexText>, String> {
    let rendered = indexes.render(package)?;
    let sections: Sections =
        (0..).zip(rendered).filter(|(_, text)| !text.is_empty()).map(|(number, text)| (number, vec![text])).collect();
    if sections.is_empty() {
        return Ok(Vec::new());
    }
    let join = |frame: IndexFrame| IndexText { path: frame.path, content: index_frame::join(&frame.frame, &sections) };
    Ok(indexes.frames(package)?.into_iter().map(join).collect())
}
