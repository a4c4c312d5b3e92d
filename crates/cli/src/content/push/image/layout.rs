//! The files of an image on this machine: in a folder, or in an archive.

use std::{
    fs::File,
    io::{Read, Seek, SeekFrom},
    path::{Path, PathBuf},
};

use super::archive::Archive;
use crate::error::{Error, Result};

/// The maximum size of an index, a manifest or a configuration.
const DOCUMENT_BYTES: u64 = 4 << 20;

/// A folder or an archive with an image.
pub(super) enum Layout {
    Folder(PathBuf),
    Archive(Archive),
}

/// Content of an image: a whole file, or a part of an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ImageContent {
    pub(super) path: PathBuf,
    pub(super) start: u64,
    pub(super) size: u64,
}

impl Layout {
    /// Opens a path; `None` if there is no image.
    pub(super) fn open(path: &Path) -> Result<Option<Self>> {
        if path.is_dir() {
            let is_image = path.join("oci-layout").is_file() && path.join("index.json").is_file();
            return Ok(is_image.then(|| Self::Folder(path.to_owned())));
        }
        if path.extension().is_none_or(|extension| extension != "tar") {
            return Ok(None);
        }
        let archive = Self::Archive(Archive::open(path)?);
        let is_image = archive.has("manifest.json") || archive.has("oci-layout") && archive.has("index.json");
        Ok(is_image.then_some(archive))
    }

    /// Whether it has a file.
    pub(super) fn has(&self, name: &str) -> bool {
        match self {
            Self::Folder(root) => root.join(name).is_file(),
            Self::Archive(archive) => archive.find(name).is_some(),
        }
    }

    /// Finds a file. The name comes from a document, so it must stay inside.
    pub(super) fn part(&self, name: &str) -> Result<ImageContent> {
        let missing = || Error::usage(format!("the image has no file {name}"));
        match self {
            Self::Folder(root) => {
                let is_inside = name.split('/').all(|part| !matches!(part, "" | "." | ".."));
                let path = root.join(name);
                let size = path.metadata().ok().filter(|about| is_inside && about.is_file()).ok_or_else(missing)?.len();
                Ok(ImageContent { path, start: 0, size })
            }
            Self::Archive(archive) => archive.find(name).ok_or_else(missing),
        }
    }

    /// Finds the content with this digest.
    pub(super) fn blob(&self, digest: &str) -> Result<ImageContent> {
        let hex =
            digest.strip_prefix("sha256:").filter(|hex| hex.len() == 64 && hex.bytes().all(|b| b.is_ascii_hexdigit()));
        let hex =
            hex.ok_or_else(|| Error::usage(format!("the image has the digest {digest}, which is not a SHA-256")))?;
        self.part(&format!("blobs/sha256/{hex}"))
    }
}

impl ImageContent {
    /// Opens the content at its start.
    pub(super) fn open(&self) -> std::io::Result<std::io::Take<File>> {
        let mut file = File::open(&self.path)?;
        file.seek(SeekFrom::Start(self.start))?;
        Ok(file.take(self.size))
    }

    /// Reads a document.
    pub(super) fn read(&self) -> Result<Vec<u8>> {
        if self.size > DOCUMENT_BYTES {
            return Err(Error::usage(format!("{}: a document of the image is larger than 4 MiB", self.path.display())));
        }
        let mut bytes = Vec::new();
        let read = self.open().and_then(|mut file| file.read_to_end(&mut bytes));
        read.map_err(|error| Error::local(self.path.display(), error))?;
        Ok(bytes)
    }

    /// Reads a document of JSON.
    pub(super) fn json(&self) -> Result<serde_json::Value> {
        let invalid =
            |error| Error::usage(format!("{}: a document of the image is not JSON: {error}", self.path.display()));
        serde_json::from_slice(&self.read()?).map_err(invalid)
    }
}
