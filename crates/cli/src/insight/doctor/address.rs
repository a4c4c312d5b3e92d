//! Checks that a packhouse server responds, and that the connection is safe for credentials.

use std::net::IpAddr;

use reqwest::{Method, Url};
use serde_json::Value;

use super::Finding;
use crate::{
    client::Client,
    error::{ExitKind, Result},
};

pub(super) async fn check(client: &Client) -> Finding {
    // Another check covers wrong credentials.
    match version(&client.anonymous()).await {
        Ok(Some(version)) => Finding::fine("address", format!("packhouse {version} answers at {}", client.url)),
        Ok(None) => Finding::problem(
            "address",
            format!("something other than packhouse answers at {}", client.url),
            "set --url or PACKHOUSE_URL to the URL that has /api and /dl below it, without /api",
        ),
        Err(error) if error.kind == ExitKind::Unreachable => {
            Finding::problem("address", error.message.clone(), fix(&error.message))
        }
        Err(error) => Finding::problem("address", error.message, "check the log of the server or of its proxy"),
    }
}

async fn version(client: &Client) -> Result<Option<String>> {
    let answer = client.answer(client.api(Method::GET, "/openapi.json")).await?;
    if answer.status().is_server_error() {
        return Err(client.once(client.api(Method::GET, "/openapi.json")).await.err().unwrap_or_else(busy));
    }
    let description = answer.json::<Value>().await.unwrap_or_default();
    Ok(description["info"]["version"].as_str().map(str::to_owned))
}

fn busy() -> crate::Error {
    crate::Error::new(ExitKind::Busy, "the server answers only some requests")
}

fn fix(message: &str) -> &'static str {
    let message = message.to_lowercase();
    match () {
        () if message.contains("certificate") => {
            "use a certificate that this machine trusts, or set SSL_CERT_FILE to the certificate of its issuer"
        }
        () if message.contains("dns") || message.contains("lookup") => {
            "correct the host name in --url or PACKHOUSE_URL"
        }
        () if message.contains("without tls") => {
            "begin --url or PACKHOUSE_URL with http://, or correct the port if the server has TLS on another one"
        }
        () if message.contains("refused") => "start the server, or correct the port in --url or PACKHOUSE_URL",
        () => "correct --url or PACKHOUSE_URL, and check for a firewall or HTTPS_PROXY in between",
    }
}

/// Checks for TLS: servers refuse credentials that arrive without encryption.
pub(super) fn check_tls(client: &Client) -> Finding {
    match Url::parse(&client.url) {
        Ok(url) if url.scheme() == "https" => Finding::fine("TLS", "the URL asks for it"),
        Ok(url) if is_here(&url) => Finding::fine("TLS", "not needed on this machine"),
        Ok(_) => Finding::problem(
            "TLS",
            "the connection is not encrypted, and the server will refuse credentials",
            "use https://; on the server, set tls.certificate and tls.key, or list its proxy in trusted_proxies",
        ),
        Err(error) => Finding::problem(
            "TLS",
            format!("{}: {error}", client.url),
            "write the URL as https://packhouse.example.com",
        ),
    }
}

fn is_here(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}
