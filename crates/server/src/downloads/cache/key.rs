//! The keys of cached responses.

use std::hash::{Hash, Hasher};

use axum::http::{HeaderMap, Method, Request, header};
use edge::Client;
use quick_cache::Equivalent;
use sha2::{Digest, Sha256};
use web::caller::has_other_credentials;

#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub(super) address: Box<str>,
    pub(super) signature: Hashed,
    pub(super) credentials: Hashed,
    /// The `Accept` headers, if the response depends on them.
    pub(super) accept: Hashed,
    /// Responses over TLS have different headers.
    pub(super) is_https: bool,
}

/// The hash of an `Authorization` header or of the query of a signed URL: secrets that open private files are never
/// stored in plain text.
pub(super) type Hashed = Option<[u8; 32]>;

#[derive(Clone, Copy)]
pub(super) struct KeyRef<'k> {
    pub(super) address: &'k str,
    pub(super) signature: Hashed,
    pub(super) credentials: Hashed,
    pub(super) accept: Hashed,
    pub(super) is_https: bool,
}

impl Hash for KeyRef<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.address.hash(state);
        self.signature.hash(state);
        self.credentials.hash(state);
        self.accept.hash(state);
        self.is_https.hash(state);
    }
}

impl KeyRef<'_> {
    pub(super) fn to_key(self) -> Key {
        let KeyRef { address, signature, credentials, accept, is_https } = self;
        Key { address: address.into(), signature, credentials, accept, is_https }
    }
}

impl Equivalent<Key> for KeyRef<'_> {
    fn equivalent(&self, key: &Key) -> bool {
        *self.address == *key.address
            && self.signature == key.signature
            && self.credentials == key.credentials
            && self.accept == key.accept
            && self.is_https == key.is_https
    }
}

/// The cache key of a request, if it asks for a whole file.
pub(super) fn key_of<'k, B>(client: &Client, path: &'k str, request: &Request<B>) -> Option<KeyRef<'k>> {
    let query = request.uri().query();
    let may_be_cached = query.is_none_or(|query| query.starts_with("expiry="));
    if request.method() != Method::GET || !may_be_cached || !is_plain(request.headers()) {
        return None;
    }
    let credentials = credentials(request.headers())?;
    if credentials.is_some() && !client.may_send_secrets {
        return None;
    }
    let signature = query.map(|query| hash(query.as_bytes()));
    Some(KeyRef { address: path, signature, credentials, accept: None, is_https: client.is_https })
}

/// Whether the headers ask for the whole file, without ranges or conditions.
pub(in crate::downloads) fn is_plain(headers: &HeaderMap) -> bool {
    const CONDITIONS: [header::HeaderName; 6] = [
        header::RANGE,
        header::IF_NONE_MATCH,
        header::IF_MODIFIED_SINCE,
        header::IF_MATCH,
        header::IF_UNMODIFIED_SINCE,
        header::IF_RANGE,
    ];
    !CONDITIONS.iter().any(|name| headers.contains_key(name))
}

/// The hash of all `Accept` headers together.
pub(super) fn accept_hash(headers: &HeaderMap) -> [u8; 32] {
    let mut all = Sha256::new();
    for value in headers.get_all(header::ACCEPT) {
        all.update(value.as_bytes());
        all.update(b",");
    }
    all.finalize().into()
}

/// The hashed credentials of the request; `None` if it has more than one such header, or one that only publishing
/// clients send.
pub(super) fn credentials(headers: &HeaderMap) -> Option<Hashed> {
    if has_other_credentials(headers) {
        return None;
    }
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    match (values.next(), values.next()) {
        (None, _) => Some(None),
        (Some(value), None) => Some(Some(hash(value.as_bytes()))),
        (Some(_), Some(_)) => None,
    }
}

pub(super) fn hash(text: &[u8]) -> [u8; 32] {
    Sha256::digest(text).into()
}
