//! Publishing.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Secret, Signing, flag::flag};

/// What to do with what is uploaded and not shown yet.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
pub struct Publish {
    /// Drops it instead of showing it.
    #[serde(default, deserialize_with = "flag")]
    pub discard: bool,
    /// How long to wait until it is shown; it always is when the answer comes.
    pub publish_wait_for_secs: Option<i64>,
    /// Whose key signs, when it is not the one that the repository says.
    pub subject: Option<String>,
    /// An armoured key for this call, which is kept nowhere.
    pub private_key: Option<Secret>,
    /// What opens the key.
    pub passphrase: Option<Secret>,
}

impl Publish {
    /// What it says about how to sign.
    pub fn signing(self) -> Signing {
        Signing { subject: self.subject, private_key: self.private_key, passphrase: self.passphrase }
    }
}

/// How many files a publish showed, or a discard dropped.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct PublishedFiles {
    /// Their number.
    pub files: u64,
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
    /// Whether readers see the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published: Option<bool>,
}
