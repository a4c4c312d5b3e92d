//! What a backup says of itself.

use std::{collections::BTreeMap, io, path::Path};

use serde::{Deserialize, Serialize};

use crate::{
    Error, Result,
    maintenance::backup::files::{problem, replace},
};

const NAME: &str = "manifest.json";

/// The form of the folder. A backup of another form is refused.
const FORMAT: u32 = 1;

/// The manifest of a backup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Manifest {
    pub(super) format: u32,
    /// The version of the program that made it.
    pub(super) program: String,
    /// The moment that the rows show.
    pub(super) taken: String,
    /// The newest step of the schema.
    pub(super) schema: i64,
    /// By which the master key is recognised.
    pub(super) fingerprint: String,
    pub(super) database: DatabaseFile,
    /// How many rows each table has.
    pub(super) rows: BTreeMap<String, i64>,
    pub(super) content: Content,
}

/// The file with the rows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct DatabaseFile {
    pub(super) file: String,
    pub(super) sha256: String,
}

/// The content that files have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Content {
    pub(super) blobs: i64,
    pub(super) bytes: i64,
}

impl Manifest {
    /// A manifest of the form that this program writes.
    pub(super) fn format() -> u32 {
        FORMAT
    }

    /// Reads the manifest of a folder; `None` where there is none.
    pub(super) fn find(folder: &Path) -> Result<Option<Self>> {
        let path = folder.join(NAME);
        let text = match std::fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(problem(&path, &error)),
        };
        let manifest: Manifest = serde_json::from_slice(&text).map_err(|error| problem(&path, &error))?;
        // The name comes from a file: it may not lead out of the folder.
        let is_plain =
            Path::new(&manifest.database.file).file_name().is_some_and(|name| name == &*manifest.database.file);
        if manifest.format == FORMAT && is_plain {
            Ok(Some(manifest))
        } else {
            Err(problem(&path, &"it is not of a form that this packhouse knows"))
        }
    }

    /// The same, where there must be one.
    pub(super) fn read(folder: &Path) -> Result<Self> {
        let missing = || Error::Internal(format!("{} is no backup: it has no {NAME}", folder.display()));
        Self::find(folder)?.ok_or_else(missing)
    }

    /// Makes this the manifest of a folder: from now on this is the backup.
    pub(super) fn write(&self, folder: &Path) -> Result<()> {
        let path = folder.join(NAME);
        let text = serde_json::to_string_pretty(self).map_err(|error| problem(&path, &error))?;
        replace(&path, format!("{text}\n").as_bytes())
    }
}
