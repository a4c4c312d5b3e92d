//! Settings of downloads: who sends them, their logs, and the countries of clients.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// `[downloads]`: who sends the bytes of large files. Every download is counted, no matter who sends it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Downloads {
    /// Prefixes of the `User-Agent` of clients that are redirected to the object store for files of more than 64 KiB.
    /// Such clients must follow redirects and reach `s3.endpoint`. Empty by default.
    pub redirect_agents: Vec<String>,
    /// How long a redirect URL is valid. URLs of private content are valid for at most 60 seconds.
    pub redirect_secs: u64,
    /// The path under which `trusted_proxies` serve the content folder. The server names the file to send in
    /// `X-Accel-Redirect`. Not set: the server sends everything.
    pub accel_prefix: Option<String>,
    /// Whether responses with public files have a `Surrogate-Key` header with the owner and `owner/repository`, which a
    /// CDN can purge by.
    pub surrogate_keys: bool,
}

impl Default for Downloads {
    fn default() -> Self {
        Self { redirect_agents: Vec::new(), redirect_secs: 300, accel_prefix: None, surrogate_keys: false }
    }
}

/// `[download_logs]`: logs of downloads, one file per day and package.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DownloadLogs {
    /// The number of days that download logs are stored, including today. They contain the IP addresses of clients.
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
    /// A file in MaxMind's format (`.mmdb`) that maps IP addresses to countries. The server reloads it within a second
    /// after it changes; replace it by renaming.
    pub database: Option<PathBuf>,
    /// The header in which `trusted_proxies` send the client's country. It takes precedence over the file. The proxy
    /// must overwrite the header if a client sends it.
    pub country_header: Option<String>,
}
