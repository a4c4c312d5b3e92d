//! Where files go on this machine.

use std::path::{Component, Path, PathBuf};

use crate::error::{Error, ExitKind, Result};

/// A file of the server and its place here.
#[derive(Debug, Clone)]
pub(super) struct Target {
    pub(super) file: api::File,
    pub(super) path: PathBuf,
}

impl Target {
    pub(super) fn size(&self) -> u64 {
        u64::try_from(self.file.size).unwrap_or_default()
    }

    /// A name beside it, for what is not finished.
    pub(super) fn beside(&self, ending: &str) -> PathBuf {
        let mut name = self.path.clone().into_os_string();
        name.push(ending);
        PathBuf::from(name)
    }
}

/// The places of files below a folder. A server that names places elsewhere is not followed there.
pub(super) fn targets(folder: &Path, files: Vec<api::File>) -> Result<Vec<Target>> {
    files.into_iter().map(|file| target(folder, file)).collect()
}

fn target(folder: &Path, file: api::File) -> Result<Target> {
    let below = Path::new(&file.path);
    let is_below = below.components().all(|part| matches!(part, Component::Normal(_)));
    if file.path.is_empty() || !is_below {
        return Err(Error::new(
            ExitKind::Content,
            format!("the server names a file `{}`, which leads elsewhere", file.path),
        ));
    }
    Ok(Target { path: folder.join(below), file })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placed(path: &str) -> Result<PathBuf> {
        let file = serde_json::json!({"name": "", "path": path, "package": "", "version": "", "repo": "", "owner": "",
            "created": "", "size": 0, "sha1": "", "sha256": ""});
        target(Path::new("out"), serde_json::from_value(file).expect("a file")).map(|target| target.path)
    }

    #[test]
    fn a_file_never_leaves_the_folder() {
        assert_eq!(placed("a/b.txt").expect("a place"), Path::new("out/a/b.txt"));
        for path in ["../a", "a/../../b", "/etc/passwd", "", "./a/.."] {
            assert!(placed(path).is_err(), "{path}");
        }
    }
}
