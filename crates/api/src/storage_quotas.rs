//! The storage quotas of subjects and repositories.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A storage quota and its usage.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct StorageQuota {
    /// The maximum number of bytes; null without a limit.
    pub quota_bytes: Option<u64>,
    /// The number of stored bytes, published and staged.
    pub used_bytes: u64,
}

/// The body that sets a storage quota.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct NewStorageQuota {
    /// The maximum number of bytes. Null removes the quota; a subject then has the quota of its plan.
    #[serde(default)]
    pub quota_bytes: Option<u64>,
}
