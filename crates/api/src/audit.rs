//! The audit log.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A record of the audit log.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct AuditEntry {
    /// Its position in the log, from 1, without gaps.
    pub seq: i64,
    /// The time of the action.
    pub at: String,
    /// Who did it.
    pub actor: String,
    /// What was done, as a noun and a verb.
    pub action: String,
    /// The object of the action.
    pub target: String,
    /// Details, such as the old and the new values.
    pub detail: String,
    /// The network address of the client.
    pub address: String,
    /// The id of the request.
    pub request_id: String,
    /// The hash over this entry and the hash of the one before.
    pub hash: String,
}
