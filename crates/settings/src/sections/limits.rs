//! Limits, time-outs, and the windows for changes to published versions.

use serde::{Deserialize, Serialize};

/// No limit: more bytes than any store has.
const UNLIMITED_BYTES: u64 = i64::MAX.unsigned_abs();

/// `[limits]`: quotas, sizes and time-outs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// The number of queries for other subjects' resources per UTC day on the free plan.
    pub free_queries_per_day: u32,
    /// The same on the premium plan. The enterprise plan has no limit.
    pub premium_queries_per_day: u32,
    /// The number of bytes that the files of a subject may take on the free plan, published and staged together. The
    /// default means no limit.
    pub free_storage_bytes: u64,
    /// The same on the premium plan.
    pub premium_storage_bytes: u64,
    /// The same on the enterprise plan.
    pub enterprise_storage_bytes: u64,
    /// The number of webhooks that one user may register.
    pub webhooks_per_user: u32,
    /// The number of consecutive failures after which a webhook is deactivated.
    pub webhook_failures: u32,
    /// How long a signed URL is valid if its creator does not specify a lifetime.
    pub signed_url_hours: u32,
    /// The maximum size of an uploaded file.
    pub upload_bytes: u64,
    /// The maximum number of open client connections.
    pub connections: usize,
    /// The maximum number of open client connections from one IP address.
    pub connections_per_address: usize,
    /// The share of `connections`, in percent, that clients who have not signed in may use.
    pub anonymous_connections_percent: u32,
    /// How long a client may take to send a request's head.
    pub header_timeout_secs: u64,
    /// The longest pause in the middle of a body: while the client sends one, or while it does not read the one it
    /// receives.
    pub body_gap_secs: u64,
    /// The lowest rate, in bytes per second, at which a client may send a body.
    pub body_bytes_per_sec: u64,
    /// How long a body may be slower than `body_bytes_per_sec`.
    pub body_grace_secs: u64,
    /// The number of wrong passwords per minute for one access key, from all clients together. For a user name, four
    /// times as many wrong API keys are allowed.
    pub wrong_credentials_per_name: u32,
    /// The number of wrong credentials per minute from one IP address (for IPv6: from one /64 network), for any names.
    /// Loopback and trusted proxies send requests for many clients and have no such limit.
    pub wrong_credentials_per_address: u32,
    /// How long an event stream is silent before it sends an empty line.
    pub stream_keep_alive_secs: u64,
    /// How long running requests may continue after the server is asked to stop.
    pub drain_secs: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            free_queries_per_day: 300,
            premium_queries_per_day: 50_000,
            free_storage_bytes: UNLIMITED_BYTES,
            premium_storage_bytes: UNLIMITED_BYTES,
            enterprise_storage_bytes: UNLIMITED_BYTES,
            webhooks_per_user: 10,
            webhook_failures: 7,
            signed_url_hours: 24,
            upload_bytes: 5 * 1024 * 1024 * 1024,
            connections: 10_000,
            connections_per_address: 256,
            anonymous_connections_percent: 90,
            header_timeout_secs: 10,
            body_gap_secs: 30,
            body_bytes_per_sec: 1_024,
            body_grace_secs: 10,
            wrong_credentials_per_name: 300,
            wrong_credentials_per_address: 600,
            stream_keep_alive_secs: 30,
            drain_secs: 30,
        }
    }
}

/// `[windows]`: how long a version may be changed, counted from its first publish.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Windows {
    /// The number of days that a published version accepts new files. A repository may have its own value. A larger
    /// value does not reopen a version.
    pub upload_days: u32,
    /// The number of days that a published version can be deleted.
    pub delete_days: u32,
}

impl Default for Windows {
    fn default() -> Self {
        Self { upload_days: 5, delete_days: 30 }
    }
}
