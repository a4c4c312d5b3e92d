//! Signed URLs.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::flag::maybe_flag;

/// The body that creates a signed URL. Other fields that old clients send about callbacks are accepted and ignored.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct NewSignedUrl {
    /// When it expires, in milliseconds since 1970.
    pub expiry: Option<i64>,
    /// Or for how many seconds it is valid.
    pub valid_for_secs: Option<i64>,
    /// Its id in the download logs.
    pub callback_id: Option<String>,
    /// Refused when it is true: files are not encrypted.
    #[serde(default, deserialize_with = "maybe_flag")]
    pub encrypt: Option<bool>,
}

/// A signed URL.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct SignedUrl {
    /// The URL of the download, with `expiry` and `signature`.
    pub url: String,
}
