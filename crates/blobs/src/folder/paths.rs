//! The paths of blobs.

use std::path::PathBuf;

use model::digest::Digest;

use super::{Folder, commit::DurableFolders};
use crate::layout::Levels;

/// The folders of a store.
#[derive(Debug)]
pub(super) enum Layout {
    /// All folders exist.
    OneLevel,
    /// Folders are created when first needed.
    TwoLevels(DurableFolders),
    /// The store is only read, and may be filled after it was opened: blobs are looked for at both paths.
    Either,
}

/// The path of a blob's file.
pub(super) struct BlobPath {
    path: PathBuf,
    /// The path to use if there is no file at the first one.
    other: Option<PathBuf>,
}

impl Layout {
    pub(super) fn new(levels: Levels) -> Self {
        match levels {
            Levels::One => Self::OneLevel,
            Levels::Two => Self::TwoLevels(DurableFolders::default()),
        }
    }

    /// Returns whether blobs may lie below this number of levels.
    pub(super) fn has(&self, levels: Levels) -> bool {
        match self {
            Self::OneLevel => levels == Levels::One,
            Self::TwoLevels(_) => levels == Levels::Two,
            Self::Either => true,
        }
    }
}

impl Folder {
    /// The path of a blob's file, in a store that is not only read.
    pub(crate) fn content_path(&self, digest: Digest) -> PathBuf {
        self.blob_path(digest).path
    }

    /// The path of a blob's file.
    pub(super) fn blob_path(&self, digest: Digest) -> BlobPath {
        let path = |levels: Levels| self.root.join(levels.content_name(digest));
        match self.layout {
            Layout::OneLevel => BlobPath { path: path(Levels::One), other: None },
            Layout::TwoLevels(_) => BlobPath { path: path(Levels::Two), other: None },
            Layout::Either => BlobPath { path: path(Levels::One), other: Some(path(Levels::Two)) },
        }
    }
}

impl BlobPath {
    /// Looks for the file, if there is more than one path.
    pub(super) fn find(self) -> PathBuf {
        match self.other {
            Some(other) if !self.path.exists() => other,
            _ => self.path,
        }
    }
}
