//! Files of versions.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::flag::flag;

/// A file, in a list or found by a search.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct File {
    /// Its name: the end of its path.
    pub name: String,
    /// Its path in the repository.
    pub path: String,
    /// The package it is of.
    pub package: String,
    /// The version it is of.
    pub version: String,
    /// The repository it is in.
    pub repo: String,
    /// The owner of that repository.
    pub owner: String,
    /// When it was uploaded for the first time.
    pub created: String,
    /// Its size in bytes.
    pub size: i64,
    /// Its SHA-1, in hexadecimal digits. `null` for the layers of images.
    pub sha1: Option<String>,
    /// Its SHA-256, in hexadecimal digits.
    pub sha256: String,
}

/// The body that changes the metadata of a file.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct FileMetadata {
    /// Whether it is in the list of downloads.
    #[serde(deserialize_with = "flag")]
    pub list_in_downloads: bool,
}
