//! Files whose bytes another server sends: the object store, or a proxy that reads the content folder.
//!
//! Access is checked before, as for every download. This server only sees the hand-off, not the transfer, so it counts
//! the download when it hands it over.

use std::time::Duration;

use axum::{
    body::Body,
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header, request::Parts},
    response::Response,
};
use edge::Client;
use operations::downloads::CachePolicy;
use web::{App, error::Result};

use super::source::{Blob, Source};
use crate::downloads::cache::is_plain;

const ACCEL_REDIRECT: HeaderName = HeaderName::from_static("x-accel-redirect");

/// The longest validity, in seconds, of a store URL that opens private content.
const PRIVATE_SECS: u64 = 60;

/// The server that sends a file.
pub(super) enum Handoff {
    /// The object store, at this URL.
    Store(HeaderValue),
    /// The proxy, from this internal path.
    Proxy(HeaderValue),
}

impl Handoff {
    /// Finds a server that sends a whole file instead of this one. This server answers small files, ranges, conditional
    /// requests and HEAD itself.
    pub(super) async fn find(
        app: &App,
        parts: &Parts,
        source: &Source,
        blob: Blob,
        policy: CachePolicy,
    ) -> Result<Option<Self>> {
        if parts.method != Method::GET || !is_plain(&parts.headers) {
            return Ok(None);
        }
        match source {
            Source::Memory(_) => Ok(None),
            Source::Mapped(mapped) if mapped.is_mapping() => Ok(at_proxy(app, parts, blob).map(Self::Proxy)),
            Source::Mapped(_) => Ok(None),
            Source::Stream(_) => Ok(in_store(app, &parts.headers, blob, policy).await?.map(Self::Store)),
        }
    }

    /// Turns the response that this server would send into one that refers to the other server.
    pub(super) fn name(self, mut response: Response) -> Response {
        *response.body_mut() = Body::empty();
        let headers = response.headers_mut();
        headers.remove(header::CONTENT_LENGTH);
        match self {
            Self::Proxy(place) => drop(headers.insert(ACCEL_REDIRECT, place)),
            Self::Store(address) => {
                headers.remove(header::CONTENT_TYPE);
                headers.insert(header::LOCATION, address);
                // The URL expires soon.
                headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
                *response.status_mut() = StatusCode::FOUND;
            }
        }
        response
    }
}

/// The path of a blob below the prefix that a trusted proxy serves.
fn at_proxy(app: &App, parts: &Parts, blob: Blob) -> Option<HeaderValue> {
    let prefix = app.settings().downloads.accel_prefix.as_deref()?;
    parts.extensions.get::<Client>().filter(|client| client.is_proxied)?;
    let blobs = &app.house().blobs;
    let file = blobs.folder_path(blob.digest)?;
    let name = file.strip_prefix(blobs.folder()?).ok()?.to_str()?;
    HeaderValue::from_str(&format!("{prefix}/{name}")).ok()
}

/// The URL of a blob in the object store, for clients that follow redirects to it.
async fn in_store(app: &App, headers: &HeaderMap, blob: Blob, policy: CachePolicy) -> Result<Option<HeaderValue>> {
    let downloads = &app.settings().downloads;
    let agent = headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok()).unwrap_or_default();
    if !downloads.redirect_agents.iter().any(|start| agent.starts_with(start.as_str())) {
        return Ok(None);
    }
    let seconds = match policy {
        CachePolicy::Private => downloads.redirect_secs.min(PRIVATE_SECS),
        _ => downloads.redirect_secs,
    };
    let address = app.house().blobs.direct_url(blob.digest, Duration::from_secs(seconds)).await;
    let address = address.map_err(operations::Error::from)?;
    Ok(address.and_then(|address| HeaderValue::from_str(&address).ok()))
}
