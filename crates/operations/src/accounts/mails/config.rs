//! The mail server, which the operator chooses.

use std::fmt;

/// The mail server that messages are sent through.
#[derive(Debug, Clone)]
pub struct MailConfig {
    /// The host name of the server.
    pub server: String,
    /// Its port.
    pub port: u16,
    /// How the connection is protected.
    pub security: MailSecurity,
    /// The login at the server, if it needs one.
    pub login: Option<MailLogin>,
    /// The certificates that the server's is checked against, in PEM; the system's when absent.
    pub ca: Option<Vec<u8>>,
    /// The sender.
    pub from: String,
    /// The URL of the pages, for links.
    pub public_url: String,
}

/// How the connection to the mail server is protected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailSecurity {
    /// Plain text first, then TLS, which is required.
    StartTls,
    /// TLS from the beginning.
    Tls,
    /// No protection, for a server on this machine.
    Plain,
}

/// The login at the mail server.
#[derive(Clone)]
pub struct MailLogin {
    /// The user name.
    pub user: String,
    /// The password.
    pub password: String,
}

impl fmt::Debug for MailLogin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MailLogin").field("user", &self.user).finish_non_exhaustive()
    }
}
