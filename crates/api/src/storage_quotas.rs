//! How many bytes the files of a subject or a repository may take.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A storage quota, and what is used of it.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct StorageQuota {
    /// How many bytes there may be; null when there is no limit.
    pub quota_bytes: Option<u64>,
    /// How many bytes there are, published and staged.
    pub used_bytes: u64,
}

/// The body that sets a storage quota.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct NewStorageQuota {
    /// How many bytes there may be. Null removes the quota; a subject has then what its plan gives.
    #[serde(default)]
    pub quota_bytes: Option<u64>,
}
