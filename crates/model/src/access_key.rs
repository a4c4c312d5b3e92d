//! Access keys, which subjects give to key holders.

use crate::{
    access::Networks,
    id::{KeyId, SubjectId},
    names::AccessKeyName,
    timestamp::Timestamp,
};

/// An access key.
#[derive(Debug, Clone)]
pub struct AccessKey {
    /// Its database id. No user has the same one.
    pub id: KeyId,
    /// The id of its owner.
    pub owner_id: SubjectId,
    /// Its name, unique among the keys of its owner.
    pub name: AccessKeyName,
    /// The keyed hash of its password.
    pub password_hash: String,
    /// When it was created.
    pub created: Timestamp,
    /// The number of downloads that it has started; `KeyTerms::max_downloads` limits them.
    pub spent_downloads: i64,
    /// The editable fields.
    pub terms: KeyTerms,
}

/// The editable fields of an access key.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KeyTerms {
    /// When it expires.
    pub expiry: Option<Timestamp>,
    /// The networks from which it may be used.
    pub networks: Networks,
    /// The service that knows whether the key still exists.
    pub existence_check: Option<ExistenceCheck>,
    /// Whether it is for the API only and may not download.
    pub is_api_only: bool,
    /// The number of downloads it may make.
    pub max_downloads: Option<i64>,
}

/// An external service that knows whether a key still exists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExistenceCheck {
    /// The URL to request, with placeholders for the key's name and password.
    pub url: String,
    /// How long the answer may be cached, in seconds.
    pub cache_for_secs: i64,
}

/// The usage of an access key.
#[derive(Debug, Clone)]
pub struct AccessKeyUsage {
    /// The number of downloaded files.
    pub downloads: i64,
    /// The number of bytes sent.
    pub bytes: i64,
    /// When it was last used, in milliseconds.
    pub last_used: i64,
    /// The IP address it was last used from.
    pub last_address: String,
}
