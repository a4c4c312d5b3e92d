//! Requests to servers of others. Who asks for them chooses the address, so it must not lead into the house: only public
//! addresses are connected to, and no answer sends us elsewhere.

mod addresses;
mod resolver;

use std::{error::Error as _, sync::Arc, time::Duration};

use bytes::{Bytes, BytesMut};
use reqwest::{Client, Request, Response, Url, redirect};
use tokio::sync::OnceCell;

pub use addresses::OutboundRules;

use resolver::Resolver;

/// The most of an answer that is read.
const ANSWER_BYTES: usize = 64 << 10;

/// How long a request and its answer may take when whoever sends it does not say.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The longest address.
const URL_BYTES: usize = 2_000;

/// The way out.
#[derive(Debug)]
pub struct OutboundClient {
    rules: Arc<OutboundRules>,
    /// The most of an answer that is read.
    answer_bytes: usize,
    /// Made when it is needed first: it reads the system's certificates, which there may not be.
    client: OnceCell<Client>,
}

/// What somebody else's server has said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reply {
    /// The status.
    pub(crate) status: u16,
    /// The start of the body.
    pub(crate) body: Bytes,
}

/// Why there is no answer. The texts name no address: addresses may hold secrets.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Problem {
    /// It may not be sent there.
    #[error("{0}")]
    Refused(String),
    /// It took too long.
    #[error("there was no answer in time")]
    TimedOut,
    /// It did not get there, or the answer did not come back.
    #[error("{0}")]
    Broken(String),
}

impl OutboundClient {
    /// A way out that leads where these rules allow.
    pub fn new(rules: OutboundRules) -> Self {
        Self { rules: Arc::new(rules), answer_bytes: ANSWER_BYTES, client: OnceCell::new() }
    }

    /// A way out to a server that the operator has chosen, which may be anywhere, and may say so much.
    pub(crate) fn to_chosen(answer_bytes: usize) -> Self {
        let rules = OutboundRules { allow_private: true, refused: Vec::new() };
        Self { answer_bytes, ..Self::new(rules) }
    }

    /// The address, if requests may go there as far as can be told without asking for its name.
    pub(crate) fn check(&self, url: &str) -> Result<Url, String> {
        if url.len() > URL_BYTES {
            return Err(format!("it is longer than {URL_BYTES} bytes"));
        }
        authority(url)?;
        let url = Url::parse(url).map_err(|error| format!("it is no address: {error}"))?;
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
        // Other spellings of addresses have become the plain one by now.
        match host.trim_start_matches('[').trim_end_matches(']').parse() {
            Ok(address) if !self.rules.allow(address) => Err(format!("'{host}' is not a public address")),
            _ => Ok(()),
        }
    }

    /// Sends a request, and reads the answer up to a limit.
    pub(crate) async fn send(&self, mut request: Request) -> Result<Reply, Problem> {
        // A literal address is connected to without asking the resolver.
        self.allow(request.url()).map_err(Problem::Refused)?;
        request.timeout_mut().get_or_insert(TIMEOUT);
        let client = self.client.get_or_try_init(|| self.make_client()).await?;
        let response = client.execute(request).await.map_err(problem)?;
        let status = response.status().as_u16();
        Ok(Reply { status, body: read(response, self.answer_bytes).await? })
    }

    async fn make_client(&self) -> Result<Client, Problem> {
        let builder = Client::builder()
            .dns_resolver(Resolver(self.rules.clone()))
            .redirect(redirect::Policy::none())
            .no_proxy()
            .referer(false)
            // Each connection is made, and its address judged, for one request.
            .pool_max_idle_per_host(0)
            .user_agent(concat!("packhouse/", env!("CARGO_PKG_VERSION")));
        let made = crate::blocking::run(|| builder.build()).await;
        made.map_err(|error| Problem::Broken(error.to_string()))?.map_err(problem)
    }
}

/// What stands between the scheme and the path of an address. Readers of addresses disagree on blanks, on missing hosts and
/// on what begins the path; so the first two are refused, and all of the third count.
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

/// A value inside an address, where it can mean nothing else.
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
