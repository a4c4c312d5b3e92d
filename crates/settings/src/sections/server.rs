//! The certificate and the log of the server.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// `[tls]`: both files or neither; read again when they change.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Tls {
    /// A PEM file with the certificate and those that lead to its authority.
    pub certificate: Option<PathBuf>,
    /// A PEM file with the certificate's private key.
    pub key: Option<PathBuf>,
}

/// `[log]`: what the server writes about itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Log {
    /// `text` for people, `json` for collectors.
    pub format: LogFormat,
    /// The least important level written, or a filter such as `info,server=debug`.
    pub level: String,
}

impl Default for Log {
    fn default() -> Self {
        Self { format: LogFormat::Text, level: "info".to_owned() }
    }
}

/// The shape of a log line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// One readable line an event.
    Text,
    /// One JSON object an event.
    Json,
}
