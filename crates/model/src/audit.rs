//! The audit log.

use crate::{prefix::NameRange, timestamp::Timestamp};

/// A new entry for the audit log.
#[derive(Debug, Clone)]
pub struct NewAuditRecord {
    /// When it happened.
    pub at: Timestamp,
    /// The actor: a user's name, or the server itself.
    pub actor: String,
    /// The action: a noun and a verb, such as `user.create`.
    pub action: &'static str,
    /// The target of the action.
    pub target: String,
    /// Further details. Never a secret.
    pub detail: String,
    /// The actor's IP address.
    pub address: String,
    /// The id of the request.
    pub request_id: String,
}

/// An entry of the audit log.
#[derive(Debug, Clone)]
pub struct AuditRecord {
    /// Its number, from 1, without gaps.
    pub seq: i64,
    /// When it happened, in milliseconds.
    pub at: i64,
    /// The actor.
    pub actor: String,
    /// The action.
    pub action: String,
    /// The target of the action.
    pub target: String,
    /// Further details.
    pub detail: String,
    /// The actor's IP address.
    pub address: String,
    /// The id of the request.
    pub request_id: String,
    /// The hash over this entry and the previous hash.
    pub hash: String,
}

/// A filter for entries; an empty text matches all.
#[derive(Debug, Clone)]
pub struct AuditFilter {
    /// The actor.
    pub actor: String,
    /// The action: complete, such as `user.create`, or only its noun.
    pub actions: NameRange,
    /// The beginning of the target.
    pub targets: NameRange,
}
