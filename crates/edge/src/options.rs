//! The limits of the edge.

use std::time::Duration;

use crate::Proxies;

/// The limits and time-outs of the edge.
#[derive(Debug, Clone)]
pub struct Options {
    /// The proxies whose headers are trusted.
    pub proxies: Proxies,
    /// The maximum number of open connections.
    pub connections: usize,
    /// The share of `connections`, in percent, that clients who have not signed in may use.
    pub anonymous_percent: u32,
    /// The maximum number of open connections from one IP address.
    pub connections_per_address: usize,
    /// How long a client may take to send the head of a request.
    pub head_timeout: Duration,
    /// The longest pause in the middle of a body, in either direction.
    pub body_gap: Duration,
    /// How long a body may be slower than `body_bytes_per_sec`.
    pub body_grace: Duration,
    /// The lowest rate at which a client may send a body.
    pub body_bytes_per_sec: u64,
    /// How long running requests may continue after the server is asked to stop.
    pub drain: Duration,
}
