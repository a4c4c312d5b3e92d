//! Completes the responses of calls that show objects: entity tag, conditions, cache.

use std::sync::Arc;

use axum::{
    body::{Body, to_bytes},
    extract::Request,
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use edge::{Client, RequestId, add_security_headers};
use http_body::Body as _;
use model::digest::Digest;
use operations::cache::{Epoch, current_epoch};
use sha2::{Digest as _, Sha256};
use web::{App, caller::has_credentials, error::Failure};

use super::cache::{ObjectCache, key_of};
use crate::downloads::{CachedDownload, Comparison, ETag, NoBody, Validity};

/// The largest object that has a tag and is cached. Longer lists are written while the client reads them.
const OBJECT_BYTES: u64 = 256 << 10;

/// A read of the API, as it was sent.
#[derive(Clone)]
pub(crate) struct RequestedObject {
    app: App,
    cache: Arc<ObjectCache>,
    client: Client,
    /// `None` if the response must not be cached.
    key: Option<Box<str>>,
    has_credentials: bool,
}

impl RequestedObject {
    /// A read from this client, before its target is rewritten.
    pub(crate) fn new<B>(
        app: &App,
        cache: &Arc<ObjectCache>,
        client: &Client,
        request: &axum::http::Request<B>,
    ) -> Self {
        Self {
            app: app.clone(),
            cache: Arc::clone(cache),
            client: client.clone(),
            key: key_of(client, request),
            has_credentials: has_credentials(request.headers()),
        }
    }

    /// Completes a response that was looked up since the epoch `began`. Refusals stay as they are.
    async fn complete(self, began: Epoch, conditions: &HeaderMap, response: Response) -> Response {
        let is_short = response.body().size_hint().exact().is_some_and(|size| size <= OBJECT_BYTES);
        if response.status() != StatusCode::OK || !is_short {
            return response;
        }
        let (mut parts, body) = response.into_parts();
        let Ok(bytes) = to_bytes(body, usize::MAX).await else {
            return Failure::new(StatusCode::INTERNAL_SERVER_ERROR, "Reading the response failed").into_response();
        };
        let digest = digest(&parts.headers, &bytes);
        let tag = ETag::of(digest);
        parts.headers.insert(header::VARY, HeaderValue::from_static("authorization"));
        if !self.has_credentials {
            parts.headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("public, no-cache"));
        }
        parts.headers.insert(header::ETAG, tag.header());
        parts.headers.insert(header::CONTENT_LENGTH, bytes.len().into());
        self.store(began, &parts.headers, digest, &bytes);
        if tag.is_in(conditions, &header::IF_NONE_MATCH, Comparison::Weak) {
            return not_modified(&parts.headers);
        }
        Response::from_parts(parts, Body::from(bytes))
    }

    /// Caches the response for everyone without credentials, with the headers that every response gets later.
    fn store(self, began: Epoch, headers: &HeaderMap, digest: Digest, bytes: &Bytes) {
        let Some(validity) = Validity::of_public_object(self.app.house(), began) else { return };
        let Some(key) = self.key else { return };
        let mut headers = headers.clone();
        self.app.insist_on_tls(&self.client, &mut headers);
        add_security_headers(&mut headers);
        RequestId::make_room(&mut headers);
        self.cache.insert(key, CachedDownload::of_object(headers, digest, bytes.clone(), validity));
    }
}

/// Answers a call that shows an object. Its handler knows nothing of this.
pub(crate) async fn answer(mut request: Request, next: Next) -> Response {
    let Some(asked) = request.extensions_mut().remove::<RequestedObject>() else { return next.run(request).await };
    let began = current_epoch(asked.app.house());
    let tags = request.headers().get_all(header::IF_NONE_MATCH).iter().cloned();
    let conditions = tags.map(|tags| (header::IF_NONE_MATCH, tags)).collect();
    let response = next.run(request).await;
    asked.complete(began, &conditions, response).await
}

/// The response without a body to a request for a cached object: for HEAD, and if the client has the object. `None` if
/// the client needs the whole object.
pub(crate) fn without_body(cached: &CachedDownload, method: &Method, headers: &HeaderMap) -> Option<Response> {
    if ETag::of(cached.blob.digest).is_in(headers, &header::IF_NONE_MATCH, Comparison::Weak) {
        return Some(not_modified(&cached.headers));
    }
    (method == Method::HEAD).then(|| {
        let mut response = Response::new(Body::empty());
        *response.headers_mut() = cached.headers.clone();
        response
    })
}

/// The response to a client that has the object: all headers that do not describe a body.
fn not_modified(headers: &HeaderMap) -> Response {
    let describes = |name: &HeaderName| *name == header::CONTENT_TYPE || *name == header::CONTENT_LENGTH;
    let mut response = Response::new(Body::new(NoBody));
    *response.status_mut() = StatusCode::NOT_MODIFIED;
    let lasting = headers.iter().filter(|(name, _)| !describes(name));
    *response.headers_mut() = lasting.map(|(name, value)| (name.clone(), value.clone())).collect();
    response
}

/// The digest that the tag is made from: of the bytes, and of the headers that say which part of a list they are.
fn digest(headers: &HeaderMap, bytes: &Bytes) -> Digest {
    let mut all = Sha256::new();
    for (name, value) in headers {
        for part in [name.as_str().as_bytes(), b": ", value.as_bytes(), b"\n"] {
            all.update(part);
        }
    }
    all.update(bytes);
    Digest::from_bytes(all.finalize().into())
}
