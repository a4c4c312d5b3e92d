//! RPM as a repository format.

use std::cmp::Ordering;

use model::{checksum::ChecksumFile, file_path::FilePath};
use operations::format::{Command, CommandPlace, Content, Format, Inspected, Native, PathKind, PathOwner, RepoIndexes};

use super::{commands, extras::RpmExtra, inspect, native::NATIVE, version};
use crate::{indexed::encode, readers::Limits};

/// Repositories of .rpm files, as dnf, yum and zypper read them.
#[derive(Debug)]
pub struct Rpm;

impl Format for Rpm {
    fn name(&self) -> &'static str {
        "rpm"
    }

    fn title(&self) -> &'static str {
        "RPM"
    }

    fn classify(&self, path: &FilePath) -> Result<PathKind, String> {
        if path.as_str().split('/').any(|segment| segment == "repodata") {
            return Ok(PathKind::Reserved);
        }
        if let Some(side) = ChecksumFile::parse(path).filter(|side| is_rpm(&side.main)) {
            return Ok(PathKind::Checksum(side));
        }
        Ok(PathKind::Payload(PathOwner::default()))
    }

    fn inspects(&self, path: &FilePath) -> bool {
        is_rpm(path) || RpmExtra::of_file(path.file_name()).is_some()
    }

    fn inspect(&self, path: &FilePath, content: &mut dyn Content) -> Result<Inspected, String> {
        if let Some(extra) = RpmExtra::of_file(path.file_name()) {
            return Ok(Inspected { facts: None, about: Some(encode(&extra.inspect(content)?)) });
        }
        let facts = inspect::inspect(content, &Limits::default())?;
        Ok(Inspected { facts: None, about: Some(encode(&facts)) })
    }

    fn is_counted(&self, path: &FilePath) -> bool {
        is_rpm(path)
    }

    fn compare(&self, left: &str, right: &str) -> Ordering {
        version::compare(left, right)
    }

    fn is_prerelease(&self, version: &str) -> bool {
        version::is_prerelease(version)
    }

    fn repo_indexes(&self) -> Option<&dyn RepoIndexes> {
        Some(self)
    }

    fn native(&self) -> Option<&dyn Native> {
        Some(&NATIVE)
    }

    fn commands(&self, place: &CommandPlace<'_>) -> Vec<Command> {
        commands::commands(place)
    }
}

/// Whether the file at a path is a package.
pub(super) fn is_rpm(path: &FilePath) -> bool {
    path.file_name().ends_with(".rpm")
}
