//! The cache of objects and lists for callers without credentials.

use std::sync::Arc;

use axum::http::{Method, Request};
use edge::Client;
use operations::House;
use quick_cache::{Weighter, sync::Cache};
use web::caller::has_credentials;

use crate::{
    downloads::{CachedDownload, Ready},
    target::host,
};

/// The total weight of all cached objects, in bytes.
const WEIGHT: u64 = 32 << 20;

/// The weight of an object besides its own bytes: its headers and its key.
const ANSWER_WEIGHT: u64 = 3 << 10;

/// The estimated number of cached objects.
const ITEMS: usize = 8 << 10;

/// The longest host and URL of a cached object, in bytes.
const KEY_BYTES: usize = 1 << 10;

/// The cached objects.
pub(crate) struct ObjectCache(Cache<Box<str>, Arc<CachedDownload>, Weight>);

#[derive(Clone)]
struct Weight;

impl Weighter<Box<str>, Arc<CachedDownload>> for Weight {
    fn weight(&self, _: &Box<str>, answer: &Arc<CachedDownload>) -> u64 {
        ANSWER_WEIGHT + answer.size
    }
}

impl Default for ObjectCache {
    fn default() -> Self {
        Self(Cache::with_weighter(ITEMS, WEIGHT, Weight))
    }
}

impl ObjectCache {
    /// Caches the response to all requests with this key.
    pub(super) fn insert(&self, key: Box<str>, answer: CachedDownload) {
        self.0.insert(key, Arc::new(answer));
    }

    /// The cached response to a request, if it is still valid.
    pub(crate) fn find<B>(&self, house: &House, client: &Client, request: &Request<B>) -> Option<Ready> {
        let answer = self.0.get(&*key_of(client, request)?)?;
        Ready::of(answer, house, client)
    }
}

/// Identifies the response to a read without credentials: by host and URL as they were sent, so that no two spellings
/// are confused. Responses over TLS have different headers.
pub(super) fn key_of<B>(client: &Client, request: &Request<B>) -> Option<Box<str>> {
    let (headers, uri) = (request.headers(), request.uri());
    let host = host(headers, uri).unwrap_or_default();
    let url = uri.path_and_query()?.as_str();
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    if !is_read || has_credentials(headers) || host.len() + url.len() > KEY_BYTES {
        return None;
    }
    let scheme = if client.is_https { "https" } else { "http" };
    Some(format!("{scheme} {host} {url}").into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(request: axum::http::request::Builder) -> Option<Box<str>> {
        key_of(&Client::default(), &request.body(()).expect("a request"))
    }

    #[test]
    fn reads_without_credentials_have_a_key() {
        let read = || Request::get("/api/repos/a/b?x=1").header("host", "house");
        assert_eq!(key(read()).as_deref(), Some("http house /api/repos/a/b?x=1"));
        assert_eq!(key(read().method("HEAD")), key(read()), "they have the same headers");
        assert_ne!(key(read()), key(read().uri("/api/repos/a/b")));
        assert_ne!(key(read()), key(Request::get("/api/repos/a/b?x=1").header("host", "other")));
        for (name, value) in [("authorization", "Basic eA=="), ("x-nuget-apikey", "x")] {
            assert_eq!(key(read().header(name, value)), None, "{name}");
        }
        assert_eq!(key(read().method("POST")), None);
        assert_eq!(key(read().uri(format!("/{}", "a".repeat(KEY_BYTES)))), None);
    }
}
