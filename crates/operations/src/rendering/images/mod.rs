//! Images of readmes. Pages load nothing from other hosts, so the server fetches an image, checks it, and serves it from
//! a cache of its own. The URL is signed: the server fetches only what a text that it has rendered names.

mod cache;
mod fetch;
mod kind;
mod links;

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use model::{digest::hex, timestamp::Timestamp};
use sha2::{Digest, Sha256};
use tokio::sync::Semaphore;

pub use cache::CachedImage;
pub use kind::ImageKind;

pub(super) use links::{is_badge, link_all, shown};

use crate::{Error, House, Result, outbound::OutboundClient, outbound::OutboundRules};
use cache::ImageCache;

/// The maximum size of an image.
const IMAGE_BYTES: usize = 4 << 20;

/// The number of images fetched at the same time. Requests for the same image wait for one fetch.
const AT_ONCE: usize = 16;

/// How long a request waits for others before it gives up.
const WAIT: Duration = Duration::from_secs(5);

/// How long an image is served before it is fetched again.
const FRESH_MS: i64 = 24 * 60 * 60 * 1000;

/// How long a failure is remembered.
const FAILED_MS: i64 = 5 * 60 * 1000;

/// The maximum number of remembered failures.
const FAILURES: usize = 1000;

/// The rules for images of readmes.
#[derive(Debug, Clone)]
pub struct ImageRules {
    /// Whether pages show images of other sites.
    pub is_on: bool,
    /// The maximum size of the cache.
    pub cache_bytes: u64,
    /// The folder of the cache.
    pub folder: PathBuf,
}

/// Fetches images and caches them.
#[derive(Debug)]
pub(crate) struct ImageProxy {
    client: OutboundClient,
    cache: ImageCache,
    turns: Vec<Semaphore>,
    /// Images that could not be fetched, and until when nobody tries again.
    failures: Mutex<HashMap<String, Timestamp>>,
}

impl ImageProxy {
    pub(crate) fn new(rules: &ImageRules, outgoing: &OutboundRules) -> Self {
        Self {
            // One byte more, to recognize an image that is too large.
            client: OutboundClient::with_limit(outgoing.clone(), IMAGE_BYTES + 1),
            cache: ImageCache::new(rules),
            turns: (0..AT_ONCE).map(|_| Semaphore::new(1)).collect(),
            failures: Mutex::default(),
        }
    }

    fn has_failed(&self, name: &str, now: Timestamp) -> bool {
        let failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        failures.get(name).is_some_and(|until| *until > now)
    }

    fn remember_failure(&self, name: &str, now: Timestamp) {
        let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        if failures.len() >= FAILURES {
            failures.retain(|_, until| *until > now);
        }
        if failures.len() < FAILURES {
            failures.insert(name.to_owned(), Timestamp::from_millis(now.millis() + FAILED_MS));
        }
    }
}

/// Returns the image at a URL that a rendered text names. An old copy is served while a new one cannot be fetched.
#[boxed::future]
pub async fn show(house: &House, url: &str, signature: &str) -> Result<CachedImage> {
    let is_signed = house.secrets.is_same(house.secrets.sign_image(url).as_bytes(), signature.as_bytes());
    if !house.policy.readme_images.is_on || !is_signed {
        return Err(Error::NotFound { what: "Image", name: url.to_owned() });
    }
    let (proxy, name) = (&house.images, name_of(url));
    let is_fresh = |image: &CachedImage| house.clock.now().millis() - image.fetched.millis() < FRESH_MS;
    let cached = proxy.cache.find(&name).await?;
    if cached.as_ref().is_some_and(is_fresh) || proxy.has_failed(&name, house.clock.now()) {
        return cached.ok_or_else(unavailable);
    }
    let turn = usize::from_str_radix(&name[..2], 16).unwrap_or_default() % AT_ONCE;
    let Ok(Ok(_turn)) = tokio::time::timeout(WAIT, proxy.turns[turn].acquire()).await else {
        return cached.ok_or_else(unavailable);
    };
    // The request before this one may have fetched it, or failed to.
    let cached = proxy.cache.find(&name).await?;
    if cached.as_ref().is_some_and(is_fresh) || proxy.has_failed(&name, house.clock.now()) {
        return cached.ok_or_else(unavailable);
    }
    match fetch::fetch(&proxy.client, url).await {
        Ok((kind, content)) => proxy.cache.store(&name, kind, content, house.clock.now()).await,
        Err(problem) => {
            tracing::debug!("fetching an image of a readme failed: {problem}");
            proxy.remember_failure(&name, house.clock.now());
            cached.ok_or_else(unavailable)
        }
    }
}

fn unavailable() -> Error {
    Error::Unavailable("The image cannot be loaded".into())
}

/// The name of the image at a URL in the cache.
fn name_of(url: &str) -> String {
    hex(&Sha256::digest(url))
}
