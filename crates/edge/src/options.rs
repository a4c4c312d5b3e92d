//! The limits of the edge.

use std::time::Duration;

use crate::Proxies;

/// How much the edge accepts, and how long it waits.
#[derive(Debug, Clone)]
pub struct Options {
    /// The proxies whose headers are trusted.
    pub proxies: Proxies,
    /// The most connections at once.
    pub connections: usize,
    /// How many of a hundred connections may be open for clients that have not signed in.
    pub anonymous_percent: u32,
    /// The most connections at once from one address.
    pub connections_per_address: usize,
    /// How long the head of a request may take.
    pub head_timeout: Duration,
    /// The longest silence in the middle of a body, in either direction.
    pub body_gap: Duration,
    /// How long a body may be slower than `body_bytes_per_sec`.
    pub body_grace: Duration,
    /// The slowest that a client may send a body.
    pub body_bytes_per_sec: u64,
    /// How long running requests may go on once the server is asked to stop.
    pub drain: Duration,
}
