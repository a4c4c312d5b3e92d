//! Plain files: any path, no index.

use model::file_path::FilePath;
use operations::format::{Facts, Format, PathKind, PublishedFile, ReleaseFile};

/// Accepts every path and builds no index.
#[derive(Debug)]
pub struct Generic;

impl Format for Generic {
    fn name(&self) -> &'static str {
        "generic"
    }

    fn builds_indexes(&self) -> bool {
        false
    }

    fn is_lasting(&self, _: &FilePath) -> bool {
        true
    }

    fn classify(&self, _path: &FilePath) -> Result<PathKind, String> {
        Ok(PathKind::Payload(None))
    }

    fn inspected_bytes(&self, _path: &FilePath) -> Option<usize> {
        None
    }

    fn inspect(&self, _path: &FilePath, _content: &[u8]) -> Result<Option<Facts>, String> {
        Ok(None)
    }

    fn dirty(&self, _path: &FilePath, _facts: Option<&Facts>) -> Vec<FilePath> {
        Vec::new()
    }

    fn build(&self, _index: &FilePath, _files: &[PublishedFile]) -> Option<String> {
        None
    }

    fn release_gaps(&self, _files: &[ReleaseFile]) -> Vec<String> {
        vec!["The repository is not of the type 'maven'".to_owned()]
    }
}
