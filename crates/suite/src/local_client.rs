//! The HTTP client of tests, which talks to servers on this machine.

use reqwest::{Client, ClientBuilder};

/// Starts to build a client. It does not read the certificates of the system, which takes longer than a request.
pub(crate) fn builder() -> ClientBuilder {
    Client::builder().no_proxy().tls_certs_only([])
}
