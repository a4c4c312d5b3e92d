//! The mail server.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// `[mail]`: the mail server that messages to users are sent through.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Mail {
    /// The host name of the mail server. Not set: the server sends no mail.
    pub server: Option<String>,
    /// The port of the mail server: usually 587 for `starttls`, 465 for `tls` and 25 for `none`.
    pub port: u16,
    /// How the connection is protected: `starttls`, `tls`, or `none` for a mail server on the same machine.
    pub tls: MailTls,
    /// The user name at the mail server. Not set: no login.
    pub user: Option<String>,
    /// The file with the password of `user`.
    pub password_file: Option<PathBuf>,
    /// Certificates in PEM format that the certificate of the mail server is checked against. Not set: those of the
    /// system.
    pub ca_file: Option<PathBuf>,
    /// The sender, such as `packhouse <packhouse@example.com>`. Required with `server`.
    pub from: Option<String>,
}

/// How the connection to the mail server is protected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MailTls {
    /// Plain text first, then TLS, which is required.
    StartTls,
    /// TLS from the beginning.
    Tls,
    /// No protection.
    None,
}

impl Default for Mail {
    fn default() -> Self {
        Self {
            server: None,
            port: 587,
            tls: MailTls::StartTls,
            user: None,
            password_file: None,
            ca_file: None,
            from: None,
        }
    }
}
