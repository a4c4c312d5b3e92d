//! Access keys.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{flag::maybe_flag, patch::present};

/// The keys of an account.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct AccessKeyList {
    /// Their names.
    pub access_keys: Vec<String>,
}

/// A key, without its password.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct AccessKey {
    /// Its name.
    pub id: String,
    /// The user name of HTTP Basic authentication.
    pub username: String,
    /// When it expires, in milliseconds since 1970.
    pub expiry: Option<i64>,
    /// The networks that may use it; all if empty.
    pub white_cidrs: Vec<String>,
    /// The networks that may not use it.
    pub black_cidrs: Vec<String>,
    /// A server that knows whether the key still exists.
    pub existence_check: Option<ExistenceCheck>,
    /// Whether downloads are not allowed.
    pub api_only: bool,
    /// The maximum number of downloads.
    pub max_downloads: Option<i64>,
    /// When it was made.
    pub created: String,
}

/// A server that knows whether a key still exists.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ExistenceCheck {
    /// The URL to call. `:username` and `:password` stand for the presented credentials; 404 removes the key.
    pub url: String,
    /// How many seconds the answer is cached, from 0 to 86400; 60 when absent.
    pub cache_for_secs: Option<i64>,
}

/// The same in a request body. Some clients cannot leave it out, and send it without fields or with empty ones.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct ExistenceCheckChange {
    /// The URL to call; required, unless the whole object is empty.
    pub url: Option<String>,
    /// How many seconds the answer is cached, from 0 to 86400; 60 when absent.
    pub cache_for_secs: Option<i64>,
}

impl ExistenceCheckChange {
    /// Returns whether no field is set.
    pub fn is_empty(&self) -> bool {
        self.url.as_deref().unwrap_or_default().is_empty() && self.cache_for_secs.unwrap_or_default() == 0
    }
}

/// The body that creates a key.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct NewAccessKey {
    /// Its name.
    pub id: String,
    /// Everything else.
    #[serde(flatten)]
    pub change: AccessKeyChange,
}

/// The name of a new key in a body. Parsed separately, so that an error names its field.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct AccessKeyId {
    /// Its name.
    pub id: String,
}

/// The body that changes a key. Absent fields stay unchanged.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct AccessKeyChange {
    /// The password of HTTP Basic authentication, 12 to 256 characters.
    pub password: Option<String>,
    /// When it expires, in milliseconds since 1970; null removes it.
    #[serde(default, deserialize_with = "present")]
    pub expiry: Option<Option<i64>>,
    /// The networks that may use it; all if empty.
    pub white_cidrs: Option<Vec<String>>,
    /// The networks that may not use it.
    pub black_cidrs: Option<Vec<String>>,
    /// A server that knows whether the key still exists; null removes it, and an empty object counts as absent.
    #[serde(default, deserialize_with = "present")]
    pub existence_check: Option<Option<ExistenceCheckChange>>,
    /// Whether downloads are not allowed.
    #[serde(default, deserialize_with = "maybe_flag")]
    pub api_only: Option<bool>,
    /// The maximum number of downloads; null removes the limit.
    #[serde(default, deserialize_with = "present")]
    pub max_downloads: Option<Option<i64>>,
}

/// The credentials of a key, shown only once.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct AccessKeyCredentials {
    /// The user name of HTTP Basic authentication.
    pub username: String,
    /// Its password.
    pub password: String,
}

/// The usage of a key.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct AccessKeyUsage {
    /// How many files were downloaded.
    pub downloads: i64,
    /// How many bytes of them were sent.
    pub bytes: i64,
    /// When it was last used.
    pub last_used: Option<String>,
    /// The IP address of the last use.
    pub last_address: Option<String>,
}
