//! Publishing.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Secret, Signing, flag::flag};

/// What to do with staged files.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
pub struct Publish {
    /// Discards them instead of publishing them.
    #[serde(default, deserialize_with = "flag")]
    pub discard: bool,
    /// How long to wait until they are published; they always are when the response arrives.
    pub publish_wait_for_secs: Option<i64>,
    /// The owner of the signing key, if it is not the key that the repository selects.
    pub subject: Option<String>,
    /// An armoured key for this call, which is not stored.
    pub private_key: Option<Secret>,
    /// The passphrase of the key.
    pub passphrase: Option<Secret>,
}

impl Publish {
    /// Returns the signing options.
    pub fn signing(self) -> Signing {
        Signing { subject: self.subject, private_key: self.private_key, passphrase: self.passphrase }
    }
}

/// How many files were published or discarded.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct PublishedFiles {
    /// Their number.
    pub files: u64,
    /// `false` if the indexes of the repository do not show the files yet. They will soon.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub indexed: Option<bool>,
}

/// A file or a folder in a folder.
#[derive(Debug, Clone, Serialize)]
pub struct FolderEntry {
    /// Its name.
    pub name: String,
    /// `file` or `folder`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// A file's size in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<i64>,
    /// When a file was last changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modified: Option<String>,
    /// Whether the file is published.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published: Option<bool>,
}
