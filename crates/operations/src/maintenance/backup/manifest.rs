//! The manifest of a backup.

use std::{collections::BTreeMap, io, path::Path};

use serde::{Deserialize, Serialize};

use crate::{
    Error, Result,
    maintenance::backup::files::{problem, replace},
};

const NAME: &str = "manifest.json";

/// The format of the folder. Backups of another format are rejected.
const FORMAT: u32 = 1;

/// The manifest of a backup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Manifest {
    pub(super) format: u32,
    /// The version of the program that made the backup.
    pub(super) program: String,
    /// The time of the snapshot of the rows.
    pub(super) taken: String,
    /// The number of the newest migration of the schema.
    pub(super) schema: i64,
    /// The fingerprint of the master key.
    pub(super) fingerprint: String,
    pub(super) database: DatabaseFile,
    /// The number of rows per table.
    pub(super) rows: BTreeMap<String, i64>,
    pub(super) content: Content,
}

/// The file with the rows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct DatabaseFile {
    pub(super) file: String,
    pub(super) sha256: String,
}

/// The content that files refer to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Content {
    pub(super) blobs: i64,
    pub(super) bytes: i64,
}

impl Manifest {
    /// The format that this program writes.
    pub(super) fn format() -> u32 {
        FORMAT
    }

    /// Reads the manifest of a folder; `None` if it has none.
    pub(super) fn find(folder: &Path) -> Result<Option<Self>> {
        let path = folder.join(NAME);
        let text = match std::fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(problem(&path, &error)),
        };
        let manifest: Manifest = serde_json::from_slice(&text).map_err(|error| problem(&path, &error))?;
        // The name is read from a file, so make sure that it does not lead out of the folder.
        let is_plain =
            Path::new(&manifest.database.file).file_name().is_some_and(|name| name == &*manifest.database.file);
        if manifest.format == FORMAT && is_plain {
            Ok(Some(manifest))
        } else {
            Err(problem(&path, &"its format is not supported by this version of packhouse"))
        }
    }

    /// Like `find`, but fails if the folder has no manifest.
    pub(super) fn read(folder: &Path) -> Result<Self> {
        let missing = || Error::Internal(format!("{} is not a backup: it has no {NAME}", folder.display()));
        Self::find(folder)?.ok_or_else(missing)
    }

    /// Writes the manifest of a folder, which makes this the current backup.
    pub(super) fn write(&self, folder: &Path) -> Result<()> {
        let path = folder.join(NAME);
        let text = serde_json::to_string_pretty(self).map_err(|error| problem(&path, &error))?;
        replace(&path, format!("{text}\n").as_bytes())
    }
}
