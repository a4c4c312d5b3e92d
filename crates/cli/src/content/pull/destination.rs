//! The destinations of downloaded files.

use std::path::{Component, Path, PathBuf};

use crate::error::{Error, ExitKind, Result};

/// A file of the server and its local destination.
#[derive(Debug, Clone)]
pub(super) struct Target {
    pub(super) file: api::File,
    pub(super) path: PathBuf,
}

impl Target {
    pub(super) fn size(&self) -> u64 {
        u64::try_from(self.file.size).unwrap_or_default()
    }

    /// A path next to the destination, for unfinished content.
    pub(super) fn with_suffix(&self, ending: &str) -> PathBuf {
        let mut name = self.path.clone().into_os_string();
        name.push(ending);
        PathBuf::from(name)
    }
}

/// Returns the destinations of files below a folder. Paths from the server that leave the folder are an error.
pub(super) fn targets(folder: &Path, files: Vec<api::File>) -> Result<Vec<Target>> {
    files.into_iter().map(|file| target(folder, file)).collect()
}

fn target(folder: &Path, file: api::File) -> Result<Target> {
    let below = Path::new(&file.path);
    let is_below = below.components().all(|part| matches!(part, Component::Normal(_)));
    if file.path.is_empty() || !is_below {
        return Err(Error::new(
            ExitKind::Content,
            format!("the server lists a file `{}`, which is outside the folder", file.path),
        ));
    }
    Ok(Target { path: folder.join(below), file })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn local_path(path: &str) -> Result<PathBuf> {
        let file = serde_json::json!({"name": "", "path": path, "package": "", "version": "", "repo": "", "owner": "",
            "created": "", "size": 0, "sha1": "", "sha256": ""});
        target(Path::new("out"), serde_json::from_value(file).expect("a file")).map(|target| target.path)
    }

    #[test]
    fn a_file_never_leaves_the_folder() {
        assert_eq!(local_path("a/b.txt").expect("a path"), Path::new("out/a/b.txt"));
        for path in ["../a", "a/../../b", "/etc/passwd", "", "./a/.."] {
            assert!(local_path(path).is_err(), "{path}");
        }
    }
}
