//! Who sends downloads, and what is recorded of them.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// `[downloads]`: who sends the bytes of large files. Every download is counted, whoever sends it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Downloads {
    /// What the `User-Agent` of clients begins with that are sent to the object store for large files. None by default.
    pub redirect_agents: Vec<String>,
    /// How long the address in the object store is good; that of private content for a minute at most.
    pub redirect_secs: u64,
    /// The address below which trusted proxies find the folder of content by `X-Accel-Redirect`. Not set: the server
    /// sends everything.
    pub accel_prefix: Option<String>,
    /// Whether public files name their owner and repository in `Surrogate-Key`, for a CDN that forgets by them.
    pub surrogate_keys: bool,
}

impl Default for Downloads {
    fn default() -> Self {
        Self { redirect_agents: Vec::new(), redirect_secs: 300, accel_prefix: None, surrogate_keys: false }
    }
}

/// `[download_logs]`: who downloaded what, a file a day and package.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DownloadLogs {
    /// For how many days they are kept, today included.
    pub keep_days: u32,
}

impl Default for DownloadLogs {
    fn default() -> Self {
        Self { keep_days: 365 }
    }
}

/// `[geo]`: the countries of clients, for restrictions and statistics.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Geo {
    /// A file in MaxMind's format that has the countries of addresses; read again when it changes.
    pub database: Option<PathBuf>,
    /// A header in which trusted proxies tell the client's country; it goes before the file.
    pub country_header: Option<String>,
}
