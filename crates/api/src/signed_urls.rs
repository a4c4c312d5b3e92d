//! Signed addresses.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::flag::maybe_flag;

/// The body that makes a signed address. What else old clients send about callbacks is accepted, and means nothing here.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct NewSignedUrl {
    /// Until when it is good, in milliseconds since 1970.
    pub expiry: Option<i64>,
    /// Or for how many seconds.
    pub valid_for_secs: Option<i64>,
    /// What to call it in the log of downloads.
    pub callback_id: Option<String>,
    /// Refused when it is true: files are not encrypted.
    #[serde(default, deserialize_with = "maybe_flag")]
    pub encrypt: Option<bool>,
}

/// A signed address.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct SignedUrl {
    /// The address of the download, with `expiry` and `signature`.
    pub url: String,
}
