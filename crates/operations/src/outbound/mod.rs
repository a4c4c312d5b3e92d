//! Outbound requests. Users choose the URL, so it must not lead into the operator's network: only public addresses are
//! connected to, and redirects are not followed.

mod addresses;
mod resolver;

use std::{error::Error as _, sync::Arc, time::Duration};

use bytes::{Bytes, BytesMut};
use reqwest::{Client, Request, Response, Url, header, redirect};
use tokio::sync::OnceCell;

pub use addresses::OutboundRules;

use resolver::Resolver;

/// The maximum number of bytes read from an answer.
const ANSWER_BYTES: usize = 64 << 10;

/// The default time limit of a request and its answer.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The longest URL.
const URL_BYTES: usize = 2_000;

/// A client for outbound requests.
#[derive(Debug)]
pub struct OutboundClient {
    rules: Arc<OutboundRules>,
    /// The maximum number of bytes read from an answer.
    answer_bytes: usize,
    /// Built on first use, because it reads the system's certificates, which may not exist.
    client: OnceCell<Client>,
}

/// An answer to an outbound request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reply {
    /// The status.
    pub(crate) status: u16,
    /// The start of the body.
    pub(crate) body: Bytes,
    /// Where the server redirects the request to; nothing follows it by itself.
    pub(crate) location: Option<String>,
}

/// The reason why no answer arrived. The texts contain no URL, because URLs may contain secrets.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Problem {
    /// The destination is not allowed.
    #[error("{0}")]
    Refused(String),
    /// The request took too long.
    #[error("the request timed out")]
    TimedOut,
    /// The request did not arrive, or the answer did not.
    #[error("{0}")]
    Broken(String),
}

impl OutboundClient {
    /// A client that connects only where these rules allow.
    pub fn new(rules: OutboundRules) -> Self {
        Self { rules: Arc::new(rules), answer_bytes: ANSWER_BYTES, client: OnceCell::new() }
    }

    /// A client that connects only where these rules allow, with this limit for answers.
    pub(crate) fn with_limit(rules: OutboundRules, answer_bytes: usize) -> Self {
        Self { answer_bytes, ..Self::new(rules) }
    }

    /// A client for a server that the operator has chosen, which may be anywhere, with this limit for answers.
    pub(crate) fn to_chosen(answer_bytes: usize) -> Self {
        Self::with_limit(OutboundRules { allow_private: true, refused: Vec::new() }, answer_bytes)
    }

    /// Returns the URL, if requests may go there according to the checks possible without resolving its name.
    pub(crate) fn check(&self, url: &str) -> Result<Url, String> {
        if url.len() > URL_BYTES {
            return Err(format!("it is longer than {URL_BYTES} bytes"));
        }
        authority(url)?;
        let url = Url::parse(url).map_err(|error| format!("it is not a URL: {error}"))?;
        self.allow(&url).map(|()| url)
    }

    fn allow(&self, url: &Url) -> Result<(), String> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err("it must begin with http:// or https://".into());
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err("it may not hold a login".into());
        }
        let host = url.host_str().unwrap_or_default();
        // Other spellings of IP addresses are normalized at this point.
        match host.trim_start_matches('[').trim_end_matches(']').parse() {
            Ok(address) if !self.rules.allow(address) => Err(format!("'{host}' is not a public address")),
            _ => Ok(()),
        }
    }

    /// Sends a request and reads the answer up to a limit.
    pub(crate) async fn send(&self, mut request: Request) -> Result<Reply, Problem> {
        // A literal IP address is connected to without the resolver.
        self.allow(request.url()).map_err(Problem::Refused)?;
        request.timeout_mut().get_or_insert(TIMEOUT);
        let client = self.client.get_or_try_init(|| self.make_client()).await?;
        let response = client.execute(request).await.map_err(problem)?;
        let status = response.status().as_u16();
        let location =
            response.headers().get(header::LOCATION).and_then(|value| value.to_str().ok()).map(str::to_owned);
        Ok(Reply { status, body: read(response, self.answer_bytes).await?, location })
    }

    async fn make_client(&self) -> Result<Client, Problem> {
        let builder = Client::builder()
            .dns_resolver(Resolver(self.rules.clone()))
            .redirect(redirect::Policy::none())
            .no_proxy()
            .referer(false)
            // Each connection is made, and its address checked, for one request.
            .pool_max_idle_per_host(0)
            .user_agent(concat!("packhouse/", env!("CARGO_PKG_VERSION")));
        let made = crate::blocking::run(|| builder.build()).await;
        made.map_err(|error| Problem::Broken(error.to_string()))?.map_err(problem)
    }
}

/// Returns the part between the scheme and the path of a URL. URL parsers disagree on blanks, on missing hosts and on
/// where the path begins; so the first two are rejected, and every possible start of the path counts.
pub(crate) fn authority(url: &str) -> Result<&str, &'static str> {
    if url.chars().any(|c| c.is_control() || c.is_whitespace()) {
        return Err("it holds a blank or a control character");
    }
    let (scheme, rest) = url.split_once("://").unwrap_or_default();
    if !["http", "https"].iter().any(|known| scheme.eq_ignore_ascii_case(known)) {
        return Err("it must begin with http:// or https://");
    }
    match rest.split(['/', '\\', '?', '#']).next() {
        None | Some("") => Err("it names no host"),
        Some(authority) => Ok(authority),
    }
}

/// Encodes a value for use in a URL, where it can have no other meaning.
pub(crate) fn encoded(text: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-' | b'~');
    text.bytes()
        .map(|byte| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

async fn read(mut response: Response, limit: usize) -> Result<Bytes, Problem> {
    let mut body = BytesMut::new();
    while let Some(chunk) = response.chunk().await.map_err(problem)? {
        let room = limit - body.len();
        body.extend_from_slice(&chunk[..chunk.len().min(room)]);
        if body.len() == limit {
            break;
        }
    }
    Ok(body.freeze())
}

fn problem(error: reqwest::Error) -> Problem {
    if error.is_timeout() {
        return Problem::TimedOut;
    }
    let error = error.without_url();
    let mut cause = error.source();
    while let Some(deeper) = cause.and_then(|cause| cause.source()) {
        cause = Some(deeper);
    }
    match cause {
        Some(cause) if cause.is::<resolver::NotPublic>() => Problem::Refused(cause.to_string()),
        Some(cause) => Problem::Broken(cause.to_string()),
        None => Problem::Broken(error.to_string()),
    }
}

#[cfg(test)]
mod tests;
