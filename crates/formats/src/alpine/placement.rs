//! The folder that lists a file.

use crate::{indexed::matches, readers::quoted};

/// The folder of an index: `<branch>/<repository>/<architecture>`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ApkFolder {
    /// The branch and the repository: `v3.20/main`.
    pub repository: String,
    /// The architecture.
    pub architecture: String,
}

impl ApkFolder {
    /// The folder of a file at this path; `None` if no index lists files there.
    pub fn of_path(path: &str) -> Option<Self> {
        let (folder, _) = path.rsplit_once('/')?;
        let (repository, architecture) = folder.rsplit_once('/')?;
        check_repository(repository).ok()?;
        check_segment(architecture).ok()?;
        Some(Self { repository: repository.to_owned(), architecture: architecture.to_owned() })
    }

    /// The path of the index.
    pub fn index_path(&self) -> String {
        format!("{}/{}/APKINDEX.tar.gz", self.repository, self.architecture)
    }
}

/// Splits a native upload path, `<branch>/<repository>/<file>`, into the repository and the file name.
pub fn split_upload(path: &str) -> Result<(&str, &str), String> {
    let (repository, file) = path.rsplit_once('/').ok_or("an upload goes to <branch>/<repository>/<file>")?;
    check_repository(repository)?;
    Ok((repository, file))
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
        assert_eq!(folder.index_path(), "v3.20/main/x86_64/APKINDEX.tar.gz");
        for bad in ["a.apk", "x86_64/a.apk", "main/x86_64/a.apk", "a/b/c/d/a.apk", "../main/x86_64/a.apk"] {
            assert_eq!(ApkFolder::of_path(bad), None, "{bad}");
        }
        assert_eq!(split_upload("v3.20/main/a.apk"), Ok(("v3.20/main", "a.apk")));
        assert!(split_upload("main/a.apk").is_err());
    }
}
