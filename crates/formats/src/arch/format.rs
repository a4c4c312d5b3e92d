//! Arch as a repository format.

use std::cmp::Ordering;

use model::{checksum::ChecksumFile, file_path::FilePath};
use operations::format::{Command, CommandPlace, Content, Format, Inspected, Native, PathKind, PathOwner, RepoIndexes};

use super::{commands, inspect, native::NATIVE, placement::is_database, version};
use crate::{
    indexed::encode,
    readers::{Limits, quoted},
};

/// Repositories of .pkg.tar files, as pacman reads them.
#[derive(Debug)]
pub struct Arch;

impl Format for Arch {
    fn name(&self) -> &'static str {
        "arch"
    }

    fn title(&self) -> &'static str {
        "Arch"
    }

    fn classify(&self, path: &FilePath) -> Result<PathKind, String> {
        if is_database(path.file_name()) {
            return Ok(PathKind::Index);
        }
        if let Some(side) = ChecksumFile::parse(path).filter(|side| is_package(&side.main)) {
            return Ok(PathKind::Checksum(side));
        }
        Ok(PathKind::Payload(PathOwner::default()))
    }

    fn inspects(&self, path: &FilePath) -> bool {
        is_package(path)
    }

    fn inspect(&self, path: &FilePath, content: &mut dyn Content) -> Result<Inspected, String> {
        let facts = inspect::inspect(content, &Limits::default())?;
        facts.check_file_name(path.file_name())?;
        if path.folder_prefix() != format!("{}/", facts.architecture) {
            let (path, folder) = (quoted(path.as_str()), &facts.architecture);
            return Err(format!("the path '{path}' is not in the folder of the package's architecture, '{folder}'"));
        }
        Ok(Inspected { facts: None, about: Some(encode(&facts)) })
    }

    fn is_counted(&self, path: &FilePath) -> bool {
        is_package(path)
    }

    fn compare(&self, left: &str, right: &str) -> Ordering {
        version::compare(left, right)
    }

    fn is_prerelease(&self, _version: &str) -> bool {
        false
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
pub(super) fn is_package(path: &FilePath) -> bool {
    [".pkg.tar.zst", ".pkg.tar.xz", ".pkg.tar.gz"].iter().any(|extension| path.file_name().ends_with(extension))
}
