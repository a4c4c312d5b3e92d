//! The files in an archive, found once; their content is read where it stands.

use std::{
    collections::BTreeMap,
    fs::File,
    path::{Path, PathBuf},
};

use super::layout::ImageContent;
use crate::error::{Error, Result};

/// The maximum number of files that an archive of an image may have.
const ENTRIES: usize = 100_000;

/// An archive.
pub(super) struct Archive {
    path: PathBuf,
    /// Start and size of each file.
    files: BTreeMap<String, (u64, u64)>,
    /// The files that links stand for: `docker save` writes a layer that two images share once.
    links: BTreeMap<String, String>,
}

impl Archive {
    /// Reads the names in an archive.
    pub(super) fn open(path: &Path) -> Result<Self> {
        Self::read(path).map_err(|error| Error::usage(format!("{}: {error}", path.display())))
    }

    fn read(path: &Path) -> std::io::Result<Self> {
        let mut found = Self { path: path.to_owned(), files: BTreeMap::new(), links: BTreeMap::new() };
        let mut archive = tar::Archive::new(File::open(path)?);
        for entry in archive.entries_with_seek()?.take(ENTRIES) {
            let entry = entry?;
            let name = entry.path()?.to_string_lossy().trim_start_matches("./").to_owned();
            if entry.header().entry_type().is_file() {
                found.files.insert(name, (entry.raw_file_position(), entry.size()));
            } else if let Some(target) = entry.link_name()? {
                let target = resolve(&name, &target.to_string_lossy(), entry.header().entry_type().is_hard_link());
                found.links.insert(name, target);
            }
        }
        Ok(found)
    }

    /// Finds a file.
    pub(super) fn find(&self, name: &str) -> Option<ImageContent> {
        let target = self.links.get(name).map_or(name, String::as_str);
        let (start, size) = *self.files.get(target)?;
        Some(ImageContent { path: self.path.clone(), start, size })
    }
}

/// The name that a link stands for: relative to its folder, or to the archive for a hard link.
fn resolve(name: &str, target: &str, is_hard: bool) -> String {
    let folder = name.rsplit_once('/').filter(|_| !is_hard).map_or("", |(folder, _)| folder);
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            other => parts.push(other),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_relative_to_their_folder() {
        assert_eq!(resolve("ab/layer.tar", "../cd/layer.tar", false), "cd/layer.tar");
        assert_eq!(resolve("ab/layer.tar", "../../../etc/passwd", false), "etc/passwd");
        assert_eq!(resolve("ab/layer.tar", "cd/layer.tar", true), "cd/layer.tar");
    }

    #[test]
    fn files_are_found_where_they_stand() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.tar");
        let mut archive = tar::Builder::new(File::create(&path).expect("made"));
        for (name, text) in [("a/b", "hello"), ("c", "world")] {
            let mut header = tar::Header::new_gnu();
            header.set_size(text.len() as u64);
            header.set_mode(0o644);
            archive.append_data(&mut header, name, text.as_bytes()).expect("added");
        }
        archive.finish().expect("written");
        let archive = Archive::open(&path).expect("an archive");
        assert_eq!(archive.find("c").expect("found").read().expect("readable"), b"world");
        assert_eq!(archive.find("a/b").expect("found").size, 5);
        assert!(archive.find("d").is_none());
    }
}
