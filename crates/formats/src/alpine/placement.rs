//! The folder that lists a file.

use std::fmt;

use crate::{indexed::matches, readers::quoted};

/// The folder of an index: `<branch>/<repository>/<architecture>`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ApkFolder {
    /// The branch and the repository: `v3.20/main`.
    pub repository: String,
    /// The architecture.
    pub architecture: String,
}

/// The path of the folder.
impl fmt::Display for ApkFolder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.repository, self.architecture)
    }
}

/// The folder of packages for all architectures. They are listed and served in the folders of all others.
pub const NOARCH: &str = "noarch";

/// The folder that stands for the one that a package's architecture tells.
pub const UPLOAD: &str = "upload";

impl ApkFolder {
    /// The folder of a file at this path; `None` if no index lists files there.
    pub fn of_path(path: &str) -> Option<Self> {
        let (folder, _) = path.rsplit_once('/')?;
        let (repository, architecture) = folder.rsplit_once('/')?;
        check_repository(repository).ok()?;
        check_segment(architecture).ok()?;
        Some(Self { repository: repository.to_owned(), architecture: architecture.to_owned() })
    }

    /// The folder of an index with this name.
    pub fn parse(stream: &str) -> Option<Self> {
        Self::of_path(&format!("{stream}/x"))
    }

    /// Whether the packages of this folder are also listed in another.
    pub fn shares(&self, with: &Self) -> bool {
        self.architecture == NOARCH && with.architecture != NOARCH && self.repository == with.repository
    }
}

fn check_repository(repository: &str) -> Result<(), String> {
    let (branch, name) = repository.split_once('/').ok_or("an upload goes to <branch>/<repository>/<file>")?;
    check_segment(branch)?;
    check_segment(name)
}

fn check_segment(text: &str) -> Result<(), String> {
    let is_byte = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-' | b'+');
    let is_valid = matches(text, |byte| byte.is_ascii_alphanumeric(), is_byte) && !text.contains("..");
    is_valid.then_some(()).ok_or_else(|| format!("'{}' is not the name of a folder here", quoted(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_name_branch_repository_and_architecture() {
        let folder = ApkFolder::of_path("v3.20/main/x86_64/a-1-r0.apk").expect("a folder");
        assert_eq!(folder.to_string(), "v3.20/main/x86_64");
        let noarch = ApkFolder::parse("v3.20/main/noarch").expect("a folder");
        assert!(noarch.shares(&folder) && !folder.shares(&noarch) && !noarch.shares(&noarch));
        assert!(!noarch.shares(&ApkFolder::parse("v3.20/community/x86_64").expect("a folder")));
        for bad in ["a.apk", "x86_64/a.apk", "main/x86_64/a.apk", "a/b/c/d/a.apk", "../main/x86_64/a.apk"] {
            assert_eq!(ApkFolder::of_path(bad), None, "{bad}");
        }
    }
}
