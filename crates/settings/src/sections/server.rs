//! Settings of the server's certificate and log.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// `[tls]`: set both files or neither. The server reloads them when they change.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Tls {
    /// A PEM file with the certificate and its chain.
    pub certificate: Option<PathBuf>,
    /// A PEM file with the private key of the certificate.
    pub key: Option<PathBuf>,
}

/// `[log]`: the server's log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Log {
    /// The format of log lines: `text` for people, `json` for log collectors.
    pub format: LogFormat,
    /// The lowest level to log, or a filter such as `info,server=debug`.
    pub level: String,
}

impl Default for Log {
    fn default() -> Self {
        Self { format: LogFormat::Text, level: "info".to_owned() }
    }
}

/// The format of a log line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// One readable line per log event.
    Text,
    /// One JSON object per log event.
    Json,
}
