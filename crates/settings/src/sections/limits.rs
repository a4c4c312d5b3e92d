//! How much is allowed, and how long the server waits.

use serde::{Deserialize, Serialize};

/// More bytes than any store has.
const UNLIMITED_BYTES: u64 = i64::MAX.unsigned_abs();

/// `[limits]`: how much, how many, how long.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Queries of others' resources that a subject of the free plan has each UTC day.
    pub free_queries_per_day: u32,
    /// The same for the premium plan; enterprise has no limit.
    pub premium_queries_per_day: u32,
    /// Bytes that the files of a subject of the free plan may take, published and staged. The default is no limit.
    pub free_storage_bytes: u64,
    /// The same for the premium plan.
    pub premium_storage_bytes: u64,
    /// The same for the enterprise plan.
    pub enterprise_storage_bytes: u64,
    /// Webhooks that one user may register.
    pub webhooks_per_user: u32,
    /// Consecutive failures after which a webhook is switched off.
    pub webhook_failures: u32,
    /// How long a signed URL lives when its maker does not say.
    pub signed_url_hours: u32,
    /// The largest file that may be uploaded.
    pub upload_bytes: u64,
    /// Connections from clients open at once.
    pub connections: usize,
    /// Connections open at once from one address.
    pub connections_per_address: usize,
    /// How many of a hundred connections may be open for those who have not signed in.
    pub anonymous_connections_percent: u32,
    /// How long a client may take to send a request's head.
    pub header_timeout_secs: u64,
    /// The longest silence in the middle of a body, in either direction.
    pub body_gap_secs: u64,
    /// The slowest that a client may send a body, in bytes a second, after the first seconds.
    pub body_bytes_per_sec: u64,
    /// How long a body may be slower than that.
    pub body_grace_secs: u64,
    /// Wrong passwords that one access key takes in a minute, from wherever they come; a user's name takes four times as
    /// many wrong API keys.
    pub wrong_credentials_per_name: u32,
    /// Wrong credentials that one address may send in a minute, for whichever names.
    pub wrong_credentials_per_address: u32,
    /// After how much silence an event stream sends an empty line.
    pub stream_keep_alive_secs: u64,
    /// How long running requests may go on once the server is asked to stop.
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

/// `[windows]`: counted from a version's first publish.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Windows {
    /// How many days a published version still takes new files.
    pub upload_days: u32,
    /// How many days a published version may still be deleted.
    pub delete_days: u32,
}

impl Default for Windows {
    fn default() -> Self {
        Self { upload_days: 5, delete_days: 30 }
    }
}
