//! Requests that are, to the byte, what was asked before: their answers are sent without looking at them again.
//!
//! Nearly all requests for a file that many want are alike. One that was answered with a kept download is known by the
//! hash of its head from then on. Whether the answer still holds is asked each time.

use std::sync::{Arc, Weak};

use axum::http::{HeaderMap, HeaderName, Request, Version, header};
use operations::{House, is_suspect};
use quick_cache::sync::Cache;
use sha2::{Digest, Sha256};

use super::client::Client;
use crate::download::{CachedDownload, Ready};

/// The longest head that is known by its hash.
const HEAD_BYTES: usize = 4 << 10;

/// The largest file that is sent past the parser: what a connection takes at once as a rule.
const FILE_BYTES: u64 = 64 << 10;

/// How many heads are known.
const HEADS: usize = 8 << 10;

/// What a request's head is known by. It may hold secrets, and so is not kept as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct HeadHash([u8; 32]);

impl HeadHash {
    /// That of a head which could ask for a file.
    pub(super) fn of(head: &[u8]) -> Option<Self> {
        let is_fit = head.len() <= HEAD_BYTES && head.starts_with(b"GET ");
        is_fit.then(|| Self(Sha256::digest(head).into()))
    }
}

/// The heads that are known, and what was answered to them.
pub(super) struct ReplayCache(Cache<HeadHash, Arc<ReplayEntry>>);

/// A request that was answered with a kept download.
pub(super) struct ReplayEntry {
    answer: Weak<CachedDownload>,
    has_credentials: bool,
    pub(super) referer: Option<Arc<str>>,
    pub(super) agent: Option<Arc<str>>,
}

impl Default for ReplayCache {
    fn default() -> Self {
        Self(Cache::new(HEADS))
    }
}

impl ReplayCache {
    /// Remembers what was answered to a request, when it may be sent past the parser the next time.
    pub(super) fn remember<B>(&self, head: HeadHash, request: &Request<B>, answer: &Arc<CachedDownload>) {
        if request.version() != Version::HTTP_11 || ends(request.headers()) || answer.size > FILE_BYTES {
            return;
        }
        let said = |name: HeaderName| request.headers().get(name).and_then(|value| Some(value.to_str().ok()?.into()));
        let repeat = ReplayEntry {
            answer: Arc::downgrade(answer),
            has_credentials: request.headers().contains_key(header::AUTHORIZATION),
            referer: said(header::REFERER),
            agent: said(header::USER_AGENT),
        };
        self.0.insert(head, Arc::new(repeat));
    }

    /// The request with this head.
    pub(super) fn find(&self, head: &HeadHash) -> Option<Arc<ReplayEntry>> {
        self.0.get(head)
    }
}

impl ReplayEntry {
    /// What was answered to it, if it would be answered to this client now.
    pub(super) fn answer(&self, house: &House, client: &Client) -> Option<Ready> {
        if self.has_credentials && (!client.may_send_secrets || is_suspect(house, client.address)) {
            return None;
        }
        Ready::of(self.answer.upgrade()?, house, client)
    }
}

/// Whether the client wants the connection to end, or to become another one.
pub(super) fn ends(headers: &HeaderMap) -> bool {
    headers.get_all(header::CONNECTION).iter().any(|value| !value.as_bytes().eq_ignore_ascii_case(b"keep-alive"))
}
