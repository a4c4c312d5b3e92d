//! Maps local files to paths in the repository.

use std::{
    collections::BTreeMap,
    fs,
    path::{Component, Path, PathBuf},
};

use crate::error::{Error, Result};

/// A local file, and its path in the repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LocalFile {
    pub(super) path: PathBuf,
    pub(super) target: String,
    pub(super) size: u64,
}

/// Collects the files. A file keeps its name; the contents of a folder keep their paths below it.
pub(super) fn gather(arguments: &[PathBuf], folder: &str) -> Result<Vec<LocalFile>> {
    let mut found: BTreeMap<String, LocalFile> = BTreeMap::new();
    for argument in arguments {
        let is_folder = status(argument)?.is_dir();
        let base = if is_folder { argument.as_path() } else { argument.parent().unwrap_or(Path::new("")) };
        for path in files_of(argument)? {
            let local = local(path, base, folder)?;
            if let Some(other) = found.get(&local.target).filter(|other| other.path != local.path) {
                let (one, two) = (other.path.display(), local.path.display());
                return Err(Error::usage(format!("{one} and {two} would both become {}", local.target)));
            }
            found.insert(local.target.clone(), local);
        }
    }
    if found.is_empty() {
        return Err(Error::usage("these folders contain no files"));
    }
    Ok(found.into_values().collect())
}

fn files_of(path: &Path) -> Result<Vec<PathBuf>> {
    if !status(path)?.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let failed = |error| Error::local(path.display(), error);
    let mut files = Vec::new();
    for entry in fs::read_dir(path).map_err(failed)? {
        files.extend(files_of(&entry.map_err(failed)?.path())?);
    }
    Ok(files)
}

fn local(path: PathBuf, base: &Path, folder: &str) -> Result<LocalFile> {
    let status = status(&path)?;
    if !status.is_file() {
        return Err(Error::usage(format!("{} is neither a file nor a folder", path.display())));
    }
    let below = path.strip_prefix(base).unwrap_or(&path);
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in below.components() {
        match part {
            Component::Normal(name) => parts.push(name.to_str().ok_or_else(|| not_text(&path))?),
            _ => return Err(Error::usage(format!("{} has no valid name for a repository", path.display()))),
        }
    }
    Ok(LocalFile { target: parts.join("/"), size: status.len(), path })
}

fn status(path: &Path) -> Result<fs::Metadata> {
    fs::metadata(path).map_err(|error| Error::usage(format!("{}: {error}", path.display())))
}

fn not_text(path: &Path) -> Error {
    Error::usage(format!("{} has a name that is not UTF-8", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir_all(folder.path().join("dist/doc")).expect("made");
        fs::create_dir_all(folder.path().join("other")).expect("made");
        for name in ["dist/a", "dist/doc/b", "other/a"] {
            fs::write(folder.path().join(name), name).expect("written");
        }
        folder
    }

    fn targets(arguments: &[PathBuf], to: &str) -> Vec<String> {
        gather(arguments, to).expect("files").into_iter().map(|local| local.target).collect()
    }

    #[test]
    fn files_keep_their_names_and_folders_their_trees() {
        let folder = folder();
        assert_eq!(targets(&[folder.path().join("dist/doc/b")], ""), ["b"]);
        assert_eq!(targets(&[folder.path().join("dist")], "/x/"), ["x/a", "x/doc/b"]);
    }

    #[test]
    fn two_files_cannot_become_one() {
        let folder = folder();
        let both = [folder.path().join("dist/a"), folder.path().join("other/a")];
        assert!(gather(&both, "").is_err_and(|error| error.message.contains("would both become a")));
        assert_eq!(targets(&[both[0].clone(), both[0].clone()], ""), ["a"]);
    }
}
