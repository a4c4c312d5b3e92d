//! Keys for outsiders.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{flag::maybe_flag, patch::present};

/// The keys of an account.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct AccessKeyList {
    /// Their names.
    pub access_keys: Vec<String>,
}

/// A key. Its password is not known any more.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct AccessKey {
    /// Its name.
    pub id: String,
    /// The user name of HTTP Basic authentication.
    pub username: String,
    /// Until when it is good, in milliseconds since 1970.
    pub expiry: Option<i64>,
    /// The networks it is good from; from all when there are none.
    pub white_cidrs: Vec<String>,
    /// The networks it is not good from.
    pub black_cidrs: Vec<String>,
    /// Whom to ask whether it still exists.
    pub existence_check: Option<ExistenceCheck>,
    /// Whether it downloads nothing.
    pub api_only: bool,
    /// How many downloads it has in all.
    pub max_downloads: Option<i64>,
    /// When it was made.
    pub created: String,
}

/// Somebody who knows whether a key still exists.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ExistenceCheck {
    /// The address that is asked. `:username` and `:password` stand for what was presented; 404 removes the key.
    pub url: String,
    /// How many seconds the answer holds, from 0 to 86400; 60 when absent.
    pub cache_for_secs: Option<i64>,
}

/// The same in a body. Some clients cannot leave it out, and send one without fields or with empty ones.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct ExistenceCheckChange {
    /// The address that is asked; required, unless the whole is empty.
    pub url: Option<String>,
    /// How many seconds the answer holds, from 0 to 86400; 60 when absent.
    pub cache_for_secs: Option<i64>,
}

impl ExistenceCheckChange {
    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        self.url.as_deref().unwrap_or_default().is_empty() && self.cache_for_secs.unwrap_or_default() == 0
    }
}

/// The body that makes a key.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct NewAccessKey {
    /// Its name.
    pub id: String,
    /// Everything else.
    #[serde(flatten)]
    pub change: AccessKeyChange,
}

/// The part of a body that names a new key. Read apart from the rest, so that an error names its field.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct AccessKeyId {
    /// Its name.
    pub id: String,
}

/// The body that changes a key. What is absent stays.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct AccessKeyChange {
    /// The password of HTTP Basic authentication, at least 8 characters.
    pub password: Option<String>,
    /// Until when it is good, in milliseconds since 1970; null removes it.
    #[serde(default, deserialize_with = "present")]
    pub expiry: Option<Option<i64>>,
    /// The networks it is good from; from all when there are none.
    pub white_cidrs: Option<Vec<String>>,
    /// The networks it is not good from.
    pub black_cidrs: Option<Vec<String>>,
    /// Whom to ask whether it still exists; null removes it, and an empty object is as good as none.
    #[serde(default, deserialize_with = "present")]
    pub existence_check: Option<Option<ExistenceCheckChange>>,
    /// Whether it downloads nothing.
    #[serde(default, deserialize_with = "maybe_flag")]
    pub api_only: Option<bool>,
    /// How many downloads it has in all; null removes the limit.
    #[serde(default, deserialize_with = "present")]
    pub max_downloads: Option<Option<i64>>,
}

/// The credentials of a key, shown this once.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct AccessKeyCredentials {
    /// The user name of HTTP Basic authentication.
    pub username: String,
    /// Its password.
    pub password: String,
}

/// What was done with a key.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct AccessKeyUsage {
    /// How many files were downloaded.
    pub downloads: i64,
    /// How many bytes of them were sent.
    pub bytes: i64,
    /// When it was last used.
    pub last_used: Option<String>,
    /// From which address.
    pub last_address: Option<String>,
}
