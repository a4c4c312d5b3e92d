//! Files whose bytes somebody else sends: the object store itself, or a proxy that reads the folder of content.
//!
//! Who may have the file is decided before, as ever. That it is on its way is all that is known here, so it is counted
//! when it is handed over.

use std::time::Duration;

use axum::{
    body::Body,
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header, request::Parts},
    response::Response,
};
use operations::downloads::CachePolicy;

use super::{
    kept::is_plain,
    source::{Blob, Source},
};
use edge::Client;

use crate::{App, error::Result};

const ACCEL_REDIRECT: HeaderName = HeaderName::from_static("x-accel-redirect");

/// How long an address in the store is good at most that opens private content.
const PRIVATE_SECS: u64 = 60;

/// Who sends a file.
pub(super) enum Handoff {
    /// The object store, at this address.
    Store(HeaderValue),
    /// The proxy, from this place of its own.
    Proxy(HeaderValue),
}

impl Handoff {
    /// Who sends a whole file in place of this server. Small files, parts and questions are answered here.
    pub(super) async fn find(
        app: &App,
        parts: &Parts,
        source: &Source,
        blob: Blob,
        keeping: CachePolicy,
    ) -> Result<Option<Self>> {
        if parts.method != Method::GET || !is_plain(&parts.headers) {
            return Ok(None);
        }
        match source {
            Source::Memory(_) => Ok(None),
            Source::Mapped(mapped) if mapped.is_mapping() => Ok(at_proxy(app, parts, blob).map(Self::Proxy)),
            Source::Mapped(_) => Ok(None),
            Source::Stream(_) => Ok(in_store(app, &parts.headers, blob, keeping).await?.map(Self::Store)),
        }
    }

    /// Turns the answer that this server would give into the one that names the other.
    pub(super) fn name(self, mut response: Response) -> Response {
        *response.body_mut() = Body::empty();
        let headers = response.headers_mut();
        headers.remove(header::CONTENT_LENGTH);
        match self {
            Self::Proxy(place) => drop(headers.insert(ACCEL_REDIRECT, place)),
            Self::Store(address) => {
                headers.remove(header::CONTENT_TYPE);
                headers.insert(header::LOCATION, address);
                // The address ends soon.
                headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
                *response.status_mut() = StatusCode::FOUND;
            }
        }
        response
    }
}

/// The place of a blob below the prefix that a trusted proxy knows.
fn at_proxy(app: &App, parts: &Parts, blob: Blob) -> Option<HeaderValue> {
    let prefix = app.settings().downloads.accel_prefix.as_deref()?;
    parts.extensions.get::<Client>().filter(|client| client.is_proxied)?;
    let blobs = &app.house().blobs;
    let file = blobs.folder_path(blob.digest)?;
    let name = file.strip_prefix(blobs.folder()?).ok()?.to_str()?;
    HeaderValue::from_str(&format!("{prefix}/{name}")).ok()
}

/// The address of a blob in the object store, for a client that goes there by itself.
async fn in_store(app: &App, headers: &HeaderMap, blob: Blob, keeping: CachePolicy) -> Result<Option<HeaderValue>> {
    let downloads = &app.settings().downloads;
    let agent = headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok()).unwrap_or_default();
    if !downloads.redirect_agents.iter().any(|start| agent.starts_with(start.as_str())) {
        return Ok(None);
    }
    let seconds = match keeping {
        CachePolicy::Private => downloads.redirect_secs.min(PRIVATE_SECS),
        _ => downloads.redirect_secs,
    };
    let address = app.house().blobs.direct_url(blob.digest, Duration::from_secs(seconds)).await;
    let address = address.map_err(operations::Error::from)?;
    Ok(address.and_then(|address| HeaderValue::from_str(&address).ok()))
}
