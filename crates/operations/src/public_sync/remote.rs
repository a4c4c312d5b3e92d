//! Calls to a registry. Each has a time limit, and none reveals a secret.

use std::{io, time::Duration};

use bytes::Bytes;
use futures_util::{Stream, TryStreamExt};
use reqwest::{
    Body, Method, Request, Url,
    header::{ACCEPT, AUTHORIZATION, CONTENT_LENGTH, CONTENT_TYPE, HeaderMap, HeaderValue},
};
use serde_json::Value;

use crate::{
    outbound::{OutboundClient, Reply},
    public_sync::{Credentials, Protocol, RegistryConfig, messages::extract},
};

/// The media type of files.
pub(super) const OCTETS: &str = "application/octet-stream";

/// The time limit of a call.
const CALL: Duration = Duration::from_secs(60);

/// The minimum rate, in bytes per second, at which a registry must accept a file.
const BYTES_PER_SECOND: u64 = 32 << 10;

/// The number of attempts before a failed query counts as failed.
const TRIES: usize = 4;

/// The maximum number and length of the registry's messages that are passed on.
const MESSAGES: usize = 100;
const MESSAGE_CHARS: usize = 500;

/// The interval between status queries: short at first, then longer and longer.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// The reason why a sync failed, in the registry's own words if it gave any.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SyncError(pub(super) Vec<String>);

impl SyncError {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self(vec![message.into()])
    }
}

/// A registry and its credentials.
pub(super) struct RegistryConnection<'r> {
    /// The time limit of all calls together.
    pub(super) timeout: Duration,
    out: &'r OutboundClient,
    base: &'r str,
    credentials: &'r Credentials,
    protocol: Protocol,
}

/// The body of a request.
pub(super) enum Payload {
    Nothing,
    Json(Value),
    /// A stream with this number of bytes and this media type.
    Stream(Body, u64, String),
}

impl<'r> RegistryConnection<'r> {
    pub(super) fn new(out: &'r OutboundClient, registry: &'r RegistryConfig, credentials: &'r Credentials) -> Self {
        let base = registry.url.trim_end_matches('/');
        Self { timeout: registry.timeout, out, base, credentials, protocol: registry.protocol }
    }

    /// Sends a request, and returns the response if it succeeded.
    pub(super) async fn call(
        &self,
        doing: &str,
        method: Method,
        path: &str,
        payload: Payload,
    ) -> Result<Reply, SyncError> {
        let reply = self.ask(doing, method, path, payload).await?;
        match reply.status {
            200..=299 => Ok(reply),
            _ => Err(self.refused(doing, &reply)),
        }
    }

    /// Sends a request, and returns the response with any status.
    pub(super) async fn ask(
        &self,
        doing: &str,
        method: Method,
        path: &str,
        payload: Payload,
    ) -> Result<Reply, SyncError> {
        let request = self
            .request(method, path, payload)
            .ok_or_else(|| SyncError::new(format!("{doing}: the URL is not valid")))?;
        let reply = self.out.send(request).await;
        reply.map_err(|problem| SyncError::new(format!("{doing}: {}", self.credentials.scrub(&problem.to_string()))))
    }

    /// Like `ask`, with retries, for requests that may be repeated: a registry that is unavailable for a moment is
    /// still working.
    pub(super) async fn ask_again(&self, doing: &str, method: Method, path: &str) -> Result<Reply, SyncError> {
        let mut pauses = PollSchedule::default();
        for _ in 1..TRIES {
            match self.ask(doing, method.clone(), path, Payload::Nothing).await {
                Ok(reply) if reply.status < 500 => return Ok(reply),
                Ok(reply) => tracing::warn!("{doing}: {}; retrying", reply.status),
                Err(SyncError(messages)) => tracing::warn!("{}; retrying", messages.join("; ")),
            }
            pauses.next().await;
        }
        self.ask(doing, method, path, Payload::Nothing).await
    }

    /// Like `call`, and parses the response as JSON.
    pub(super) async fn json(
        &self,
        doing: &str,
        method: Method,
        path: &str,
        payload: Payload,
    ) -> Result<Value, SyncError> {
        let reply = self.call(doing, method, path, payload).await?;
        let json = serde_json::from_slice(&reply.body);
        json.map_err(|_| SyncError::new(format!("{doing}: unexpected response")))
    }

    /// The error for a rejected call, with the messages of the registry.
    pub(super) fn refused(&self, doing: &str, reply: &Reply) -> SyncError {
        let said = extract(&reply.body);
        let message = |said: String| format!("{doing}: {} {said}", reply.status).trim_end().to_owned();
        if said.is_empty() {
            SyncError(vec![message(String::new())])
        } else {
            self.error_with(said.into_iter().map(message))
        }
    }

    /// An error with messages of the registry, limited in size and without secrets.
    pub(super) fn error_with(&self, messages: impl IntoIterator<Item = String>) -> SyncError {
        let shown = |message: String| self.credentials.scrub(&message).chars().take(MESSAGE_CHARS).collect();
        SyncError(messages.into_iter().take(MESSAGES).map(shown).collect())
    }

    fn request(&self, method: Method, path: &str, payload: Payload) -> Option<Request> {
        let mut request = Request::new(method, Url::parse(&format!("{}{path}", self.base)).ok()?);
        let scheme = match self.protocol {
            Protocol::Nexus => "Basic",
            Protocol::Portal => "Bearer",
        };
        let mut authorization = HeaderValue::from_str(&format!("{scheme} {}", self.credentials.token())).ok()?;
        authorization.set_sensitive(true);
        let headers = request.headers_mut();
        headers.insert(AUTHORIZATION, authorization);
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        let (body, timeout) = payload.put(headers)?;
        *request.body_mut() = body;
        *request.timeout_mut() = Some(timeout);
        Some(request)
    }
}

impl Payload {
    /// A small file.
    pub(super) fn text(text: &str) -> Self {
        Payload::Stream(Body::from(text.to_owned()), text.len() as u64, OCTETS.to_owned())
    }

    /// A stream of stored content with this number of bytes. Errors of the blob store are only logged.
    pub(super) fn content(
        stream: impl Stream<Item = Result<Bytes, blobs::Error>> + Send + 'static,
        bytes: u64,
        kind: impl Into<String>,
    ) -> Self {
        let stream = stream.map_err(|error| {
            tracing::error!("reading content for a sync failed: {error}");
            io::Error::other("reading the content failed")
        });
        Payload::Stream(Body::wrap_stream(stream), bytes, kind.into())
    }

    /// Sets the headers; returns the body and the time limit for sending it.
    fn put(self, headers: &mut HeaderMap) -> Option<(Option<Body>, Duration)> {
        let (body, kind, bytes) = match self {
            Payload::Nothing => return Some((None, CALL)),
            Payload::Json(json) => (Body::from(json.to_string()), "application/json".to_owned(), 0),
            Payload::Stream(body, bytes, kind) => {
                headers.insert(CONTENT_LENGTH, HeaderValue::from(bytes));
                (body, kind, bytes)
            }
        };
        headers.insert(CONTENT_TYPE, HeaderValue::from_str(&kind).ok()?);
        Some((Some(body), CALL + Duration::from_secs(bytes / BYTES_PER_SECOND)))
    }
}

/// The pauses between status queries.
pub(super) struct PollSchedule(Duration);

impl Default for PollSchedule {
    fn default() -> Self {
        Self(FIRST_PAUSE)
    }
}

impl PollSchedule {
    pub(super) async fn next(&mut self) {
        tokio::time::sleep(self.0).await;
        self.0 = (self.0 * 2).min(LONGEST_PAUSE);
    }
}
