//! A cache of downloads that are ready to send again: popular files need no query and no routing.
//!
//! A response is cached for one URL and one set of credentials. It is valid until something it was made from changes:
//! the repositories it came through, any account, or the access key, if it was made for one.

mod cached_download;
mod lookups;

pub(crate) use cached_download::{CachedDownload, Ready};
pub(crate) use lookups::LookupPermit;
pub(crate) use operations::cache::Validity;

use std::{
    hash::{Hash, Hasher},
    sync::Arc,
};

use axum::http::{HeaderMap, Method, Request, header};
use edge::Client;
use operations::House;
use quick_cache::{Equivalent, OptionsBuilder, Weighter, sync::Cache};
use sha2::{Digest, Sha256};

use web::caller::has_other_credentials;

use super::{Source, text::PreparedText};
use lookups::LookupLimiter;

/// The total weight of all cached responses of files, in bytes.
const WEIGHT: u64 = 64 << 20;

/// The total weight of all cached texts, and the size of the largest one.
const TEXTS_WEIGHT: u64 = 128 << 20;
const TEXT_BYTES: u64 = 64 << 20;

/// The estimated number of cached texts.
const TEXTS: usize = 4 << 10;

/// The weight of a response besides its own bytes. One that holds a file open weighs more, which limits the number of
/// open files.
const ANSWER_WEIGHT: u64 = 2 << 10;
const OPEN_FILE_WEIGHT: u64 = 256 << 10;

/// The estimated number of cached responses.
const ITEMS: usize = 16 << 10;

/// The cached responses, and the look-ups in progress.
pub(crate) struct DownloadCache {
    answers: Answers,
    /// Generated texts, which are in memory.
    texts: Answers,
    lookups: LookupLimiter,
}

type Answers = Cache<Key, Arc<CachedDownload>, Weight>;

#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    address: Box<str>,
    signature: Hashed,
    credentials: Hashed,
    /// The `Accept` headers, if the response depends on them.
    accept: Hashed,
    /// Responses over TLS have different headers.
    is_https: bool,
}

/// The hash of an `Authorization` header or of the query of a signed URL: secrets that open private files are never
/// stored in plain text.
type Hashed = Option<[u8; 32]>;

#[derive(Clone, Copy)]
struct KeyRef<'k> {
    address: &'k str,
    signature: Hashed,
    credentials: Hashed,
    accept: Hashed,
    is_https: bool,
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
    fn to_key(&self) -> Key {
        let KeyRef { address, signature, credentials, accept, is_https } = *self;
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

#[derive(Clone)]
struct Weight;

impl Weighter<Key, Arc<CachedDownload>> for Weight {
    fn weight(&self, _: &Key, answer: &Arc<CachedDownload>) -> u64 {
        ANSWER_WEIGHT
            + match &answer.source {
                Source::Mapped(mapped) if mapped.is_mapping() => OPEN_FILE_WEIGHT,
                Source::Mapped(_) | Source::Memory(_) => answer.size,
                Source::Stream(_) => 0,
            }
    }
}

impl Default for DownloadCache {
    fn default() -> Self {
        let answers = Cache::with_weighter(ITEMS, WEIGHT, Weight);
        // One shard, so that the largest text fits into it.
        let options =
            OptionsBuilder::new().shards(1).estimated_items_capacity(TEXTS).weight_capacity(TEXTS_WEIGHT).build();
        let options = options.expect("all options are given");
        let texts = Cache::with_options(options, Weight, Default::default(), Default::default());
        Self { answers, texts, lookups: LookupLimiter::default() }
    }
}

impl DownloadCache {
    /// Caches the response to a request; `query` is the query of a signed URL.
    pub(crate) fn insert(
        &self,
        client: &Client,
        address: &str,
        query: Option<&str>,
        headers: &HeaderMap,
        answer: CachedDownload,
    ) {
        let Some(credentials) = credentials(headers) else { return };
        let signature = query.map(|query| hash(query.as_bytes()));
        let accept = if answer.varies { Some(accept_hash(headers)) } else { None };
        let key = KeyRef { address, signature, credentials, accept, is_https: client.is_https };
        match &answer.text {
            None => self.answers.insert(key.to_key(), Arc::new(answer)),
            Some(_) if answer.size <= TEXT_BYTES => self.texts.insert(key.to_key(), Arc::new(answer)),
            Some(_) => {}
        }
    }

    /// The cached response to a plain request, if it is still valid.
    pub(crate) fn find<B>(&self, house: &House, client: &Client, path: &str, request: &Request<B>) -> Option<Ready> {
        let key = key_of(client, path, request)?;
        Ready::of(self.get(key, request.headers())?, house, client)
    }

    /// The cached text at an address, if it is still valid: also for requests with conditions and for HEAD.
    pub(crate) fn find_text(
        &self,
        house: &House,
        client: &Client,
        address: &str,
        headers: &HeaderMap,
    ) -> Option<PreparedText> {
        let credentials = credentials(headers)?;
        let key = KeyRef { address, signature: None, credentials, accept: None, is_https: client.is_https };
        let ready = Ready::of(self.get(key, headers)?, house, client)?;
        ready.answer.text.clone()
    }

    /// Looks for a response that does not depend on `Accept`, then for one that does.
    fn get(&self, key: KeyRef<'_>, headers: &HeaderMap) -> Option<Arc<CachedDownload>> {
        let find = |key: &KeyRef<'_>| self.answers.get(key).or_else(|| self.texts.get(key));
        find(&key).or_else(|| find(&KeyRef { accept: Some(accept_hash(headers)), ..key }))
    }

    /// Starts a look-up of a response that is not cached yet. It waits while enough other requests look up the same,
    /// and a cached response may exist afterwards. `None` if the response cannot be cached, and after too long a wait.
    pub(crate) async fn look_up<B>(
        &self,
        client: &Client,
        path: &str,
        request: &Request<B>,
    ) -> Option<LookupPermit<'_>> {
        let key = key_of(client, path, request)?.to_key();
        self.lookups.begin(key).await
    }

    /// Drops invalid responses: a deleted file that they hold open still takes up disk space.
    pub(crate) fn drop_outdated(&self, house: &House) {
        self.answers.retain(|_, answer| answer.validity.holds(house));
        self.texts.retain(|_, answer| answer.validity.holds(house));
    }
}

/// The cache key of a request, if it asks for a whole file.
fn key_of<'k, B>(client: &Client, path: &'k str, request: &Request<B>) -> Option<KeyRef<'k>> {
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
pub(super) fn is_plain(headers: &HeaderMap) -> bool {
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
fn accept_hash(headers: &HeaderMap) -> [u8; 32] {
    let mut all = Sha256::new();
    for value in headers.get_all(header::ACCEPT) {
        all.update(value.as_bytes());
        all.update(b",");
    }
    all.finalize().into()
}

/// The hashed credentials of the request; `None` if it has more than one such header, or one that only publishing
/// clients send.
fn credentials(headers: &HeaderMap) -> Option<Hashed> {
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

fn hash(text: &[u8]) -> [u8; 32] {
    Sha256::digest(text).into()
}
