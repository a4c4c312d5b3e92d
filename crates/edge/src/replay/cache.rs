//! Maps requests to cached responses by the bytes of their head.
//!
//! Nearly all requests for a popular file are byte-identical. When a request is answered with a cached response, the
//! hash of its head is stored. Every replay first asks the service whether the response is still valid.

use std::sync::{Arc, Weak};

use http::{HeaderMap, HeaderValue, Request, Version, header};
use quick_cache::sync::Cache;
use sha2::{Digest, Sha256};

/// The longest head that is cached.
const HEAD_BYTES: usize = 4 << 10;

/// The number of heads that are cached.
const HEADS: usize = 8 << 10;

/// Identifies the head of a request. The head itself is not stored, because it may contain secrets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct HeadHash([u8; 32]);

impl HeadHash {
    /// Returns the hash of a head, if it may be a request for a file.
    pub(crate) fn of(head: &[u8]) -> Option<Self> {
        let is_fit = head.len() <= HEAD_BYTES && head.starts_with(b"GET ");
        is_fit.then(|| Self(Sha256::digest(head).into()))
    }
}

/// A request whose response may be replayed, if the service allows it.
pub(crate) struct ReplayableRequest {
    head: HeadHash,
    has_credentials: bool,
    referer: Option<HeaderValue>,
    agent: Option<HeaderValue>,
}

impl ReplayableRequest {
    /// Creates the request with this head, unless its connection ends with it.
    pub(crate) fn new<B>(head: HeadHash, request: &Request<B>) -> Option<Self> {
        let headers = request.headers();
        (request.version() == Version::HTTP_11 && !ends(headers)).then(|| Self {
            head,
            has_credentials: headers.contains_key(header::AUTHORIZATION),
            referer: headers.get(header::REFERER).cloned(),
            agent: headers.get(header::USER_AGENT).cloned(),
        })
    }
}

/// Maps the hashes of heads to cached responses.
pub(crate) struct ReplayCache<C>(Cache<HeadHash, Arc<ReplayEntry<C>>>);

/// A request that was answered with a cached response.
pub(crate) struct ReplayEntry<C> {
    pub(crate) cached: Weak<C>,
    pub(crate) has_credentials: bool,
    pub(crate) referer: Option<Arc<str>>,
    pub(crate) agent: Option<Arc<str>>,
}

impl<C> Default for ReplayCache<C> {
    fn default() -> Self {
        Self(Cache::new(HEADS))
    }
}

impl<C> ReplayCache<C> {
    /// Stores that a request was answered with a cached response.
    pub(crate) fn remember(&self, request: ReplayableRequest, cached: &Arc<C>) {
        let ReplayableRequest { head, has_credentials, referer, agent } = request;
        let text = |value: Option<HeaderValue>| value.and_then(|value| Some(value.to_str().ok()?.into()));
        let (referer, agent) = (text(referer), text(agent));
        let entry = ReplayEntry { cached: Arc::downgrade(cached), has_credentials, referer, agent };
        self.0.insert(head, Arc::new(entry));
    }

    /// Returns the entry for this head.
    pub(crate) fn find(&self, head: &HeadHash) -> Option<Arc<ReplayEntry<C>>> {
        self.0.get(head)
    }
}

/// Returns whether the headers end the connection or switch its protocol.
pub(crate) fn ends(headers: &HeaderMap) -> bool {
    headers.get_all(header::CONNECTION).iter().any(|value| !value.as_bytes().eq_ignore_ascii_case(b"keep-alive"))
}
