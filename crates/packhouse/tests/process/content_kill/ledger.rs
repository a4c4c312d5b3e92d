//! The expected content of the versions of one author, from the acknowledged writes.

use std::collections::BTreeMap;

use crate::shown::{Shown, sum};

/// A requested write. Contents are numbers; [`content`] returns the bytes.
#[derive(Debug, Clone)]
pub(super) enum Write {
    Upload { version: String, path: String, content: u64, publish: bool },
    Publish { version: String },
    Discard { version: String },
    DeleteFile { version: String, path: String },
    DeleteVersion { version: String },
}

impl Write {
    /// Returns the version that it changes.
    pub(super) fn version(&self) -> &str {
        match self {
            Write::Upload { version, .. }
            | Write::Publish { version }
            | Write::Discard { version }
            | Write::DeleteFile { version, .. }
            | Write::DeleteVersion { version } => version,
        }
    }
}

/// Returns the bytes of a content: mostly short, sometimes longer than a store buffers in memory.
pub(super) fn content(number: u64) -> Vec<u8> {
    let size = match number % 16 {
        0 => 700_000,
        1..=3 => 40_000,
        _ => 40,
    };
    let line = format!("content {number} ");
    let mut bytes = line.repeat(size / line.len() + 1).into_bytes();
    bytes.truncate(size);
    bytes
}

/// Versions by their names.
#[derive(Debug, Clone, Default)]
pub(super) struct Ledger(BTreeMap<String, Version>);

/// Files by their paths.
type Version = BTreeMap<String, File>;

#[derive(Debug, Clone, Copy, Default)]
struct File {
    published: Option<u64>,
    staged: Option<u64>,
}

impl Ledger {
    /// Applies a write as the server would.
    pub(super) fn apply(&mut self, write: &Write) {
        let version = self.0.entry(write.version().to_owned()).or_default();
        match write {
            Write::Upload { path, content, publish, .. } => {
                version.entry(path.clone()).or_default().upload(*content, *publish);
            }
            Write::Publish { .. } => version.values_mut().for_each(File::publish),
            Write::Discard { .. } => {
                version.values_mut().for_each(|file| file.staged = None);
                version.retain(|_, file| file.published.is_some());
            }
            Write::DeleteFile { path, .. } => drop(version.remove(path)),
            Write::DeleteVersion { version } => drop(self.0.remove(version)),
        }
    }

    /// Returns the names of all versions.
    pub(super) fn versions(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Returns the paths of a version; `None` if the version does not exist.
    pub(super) fn paths(&self, version: &str) -> Option<Vec<&str>> {
        self.0.get(version).map(|files| files.keys().map(String::as_str).collect())
    }

    /// Returns the expected files of a version.
    pub(super) fn shown(&self, version: &str) -> Option<Shown> {
        let files = self.0.get(version)?;
        let sums = |of: fn(&File) -> Option<u64>| {
            let sums = files.iter().filter_map(|(path, file)| Some((path.clone(), sum(&content(of(file)?)))));
            sums.collect()
        };
        Some(Shown { published: sums(|file| file.published), newest: sums(|file| file.newest()) })
    }
}

impl File {
    fn newest(&self) -> Option<u64> {
        self.staged.or(self.published)
    }

    fn upload(&mut self, content: u64, publish: bool) {
        if self.newest() != Some(content) {
            self.staged = Some(content);
        }
        if publish {
            self.publish();
        }
    }

    fn publish(&mut self) {
        self.published = self.newest();
        self.staged = None;
    }
}
