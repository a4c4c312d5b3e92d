//! Clients with special settings: HTTP/2, TLS, persistent connections.

use std::time::Duration;

use reqwest::{Client, ClientBuilder, Response, tls::TlsInfo};

fn builder() -> ClientBuilder {
    Client::builder().no_proxy().timeout(Duration::from_secs(20))
}

/// Creates a client for HTTP/2 with prior knowledge.
pub(crate) fn http2() -> Client {
    builder().http2_prior_knowledge().build().expect("a client")
}

/// Creates a client for TLS that negotiates the protocol and accepts any certificate.
pub(crate) fn tls() -> Client {
    builder().tls_danger_accept_invalid_certs(true).tls_info(true).build().expect("a client")
}

/// Creates a client for TLS with HTTP/1.1 only.
pub(crate) fn tls_http1() -> Client {
    builder().tls_danger_accept_invalid_certs(true).tls_info(true).http1_only().build().expect("a client")
}

/// Returns the server's certificate on the connection of this response.
pub(crate) fn certificate(response: &Response) -> Vec<u8> {
    let info = response.extensions().get::<TlsInfo>().expect("the connection is TLS");
    info.peer_certificate().expect("the server showed a certificate").to_vec()
}
