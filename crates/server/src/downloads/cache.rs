//! A cache of downloads that are ready to send again: popular files need no query and no routing.
//!
//! A response is cached for one URL and one set of credentials. It is valid until something it was made from changes:
//! the repositories it came through, any account, or the access key, if it was made for one.

mod cached_download;
mod key;
mod lookups;

pub(crate) use cached_download::{CachedDownload, Ready};
pub(super) use key::is_plain;
pub(crate) use lookups::LookupPermit;
pub(crate) use operations::cache::Validity;

use std::sync::Arc;

use axum::http::{HeaderMap, Request};
use edge::Client;
use operations::House;
use quick_cache::{OptionsBuilder, Weighter, sync::Cache};

use super::{Source, text::PreparedText};
use key::{Key, KeyRef, accept_hash, credentials, hash, key_of};
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
