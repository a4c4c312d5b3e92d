//! Plain files: any path, no index.

pub(crate) mod commands;
mod version;

use std::cmp::Ordering;

use model::file_path::FilePath;
use operations::format::{Command, CommandPlace, Format, PathKind, PathOwner};

/// Accepts every path and builds no index.
#[derive(Debug)]
pub struct Generic;

impl Format for Generic {
    fn name(&self) -> &'static str {
        "generic"
    }

    fn title(&self) -> &'static str {
        "Files"
    }

    fn classify(&self, _path: &FilePath) -> Result<PathKind, String> {
        Ok(PathKind::Payload(PathOwner::default()))
    }

    fn compare(&self, left: &str, right: &str) -> Ordering {
        version::compare(left, right)
    }

    fn is_prerelease(&self, version: &str) -> bool {
        version::is_prerelease(version)
    }

    fn commands(&self, place: &CommandPlace<'_>) -> Vec<Command> {
        commands::all(place)
    }
}
