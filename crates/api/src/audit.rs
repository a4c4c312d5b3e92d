//! The audit log.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A record of the audit log.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct AuditEntry {
    /// Its position in the log, from 1, without gaps.
    pub seq: i64,
    /// When.
    pub at: String,
    /// By whom.
    pub actor: String,
    /// What, as a noun and a verb.
    pub action: String,
    /// To what.
    pub target: String,
    /// What else.
    pub detail: String,
    /// From which network address.
    pub address: String,
    /// In which request.
    pub request_id: String,
    /// The hash over this entry and the hash of the one before.
    pub hash: String,
}
