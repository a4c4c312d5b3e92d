//! Nodes: servers that run on one database.

use crate::timestamp::Timestamp;

/// One run of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// Its database id.
    pub id: i64,
    /// The name that its operator gave it.
    pub name: String,
    /// The version of the program.
    pub version: String,
    /// When it started.
    pub started: Timestamp,
    /// The time of its last heartbeat.
    pub seen: Timestamp,
}
