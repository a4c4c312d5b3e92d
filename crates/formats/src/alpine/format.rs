//! Alpine as a repository format.

use std::cmp::Ordering;

use model::{checksum::ChecksumFile, file_path::FilePath};
use operations::format::{Command, CommandPlace, Content, Format, Inspected, Native, PathKind, PathOwner, RepoIndexes};

use super::{
    commands, inspect,
    native::NATIVE,
    placement::{ApkFolder, NOARCH, UPLOAD},
    version,
};
use crate::{
    indexed::encode,
    readers::{Limits, quoted},
};

/// The name of the index in each folder.
const INDEX: &str = "APKINDEX.tar.gz";

/// Repositories of .apk files, as apk reads them.
#[derive(Debug)]
pub struct Alpine;

impl Format for Alpine {
    fn name(&self) -> &'static str {
        "alpine"
    }

    fn title(&self) -> &'static str {
        "Alpine"
    }

    fn classify(&self, path: &FilePath) -> Result<PathKind, String> {
        if path.file_name() == INDEX {
            return Ok(PathKind::Index);
        }
        let is_upload = ApkFolder::of_path(path.as_str()).is_some_and(|folder| folder.architecture == UPLOAD);
        if is_upload || path.as_str() == "keys" || path.as_str().starts_with("keys/") {
            return Ok(PathKind::Reserved);
        }
        if let Some(side) = ChecksumFile::parse(path).filter(|side| is_apk(&side.main)) {
            return Ok(PathKind::Checksum(side));
        }
        Ok(PathKind::Payload(PathOwner::default()))
    }

    fn inspects(&self, path: &FilePath) -> bool {
        is_apk(path)
    }

    fn inspect(&self, path: &FilePath, content: &mut dyn Content) -> Result<Inspected, String> {
        let folder =
            ApkFolder::of_path(path.as_str()).ok_or("a package goes to '<branch>/<repository>/<architecture>/'")?;
        // The index has the digest of the package and is signed, so the package itself need not be.
        let facts = inspect::inspect(content, &Limits::default(), true)?;
        facts.check_file_name(path.file_name())?;
        // Packages for all architectures may be in the folder of each.
        if facts.architecture != NOARCH && ![UPLOAD, &facts.architecture].contains(&folder.architecture.as_str()) {
            let (path, architecture) = (quoted(path.as_str()), &facts.architecture);
            return Err(format!(
                "the path '{path}' is not in a folder of the package's architecture, '{architecture}'"
            ));
        }
        Ok(Inspected { facts: None, about: Some(encode(&facts)) })
    }

    fn stand_in(&self, path: &FilePath) -> Option<FilePath> {
        let folder =
            ApkFolder::of_path(path.as_str()).filter(|folder| is_apk(path) && folder.architecture != NOARCH)?;
        FilePath::parse(&format!("{}/{NOARCH}/{}", folder.repository, path.file_name())).ok()
    }

    fn is_counted(&self, path: &FilePath) -> bool {
        is_apk(path)
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
pub(super) fn is_apk(path: &FilePath) -> bool {
    path.file_name().ends_with(".apk")
}
