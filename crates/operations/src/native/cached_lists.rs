//! Lists of a repository that are cached until it changes. While one caller makes a list, those who ask for the same one
//! wait for it.

use std::{hash::Hash, sync::Arc};

use model::id::RepoId;
use quick_cache::{Weighter, sync::Cache};
use tokio::sync::Mutex;

use crate::{House, Result, cache::RepoValidity};

/// The total weight of all cached lists of one kind, in bytes.
const WEIGHT: u64 = 64 << 20;

/// The weight of a list besides its items.
const LIST_WEIGHT: u64 = 256;

/// The estimated number of cached lists of one kind.
const ITEMS: usize = 1024;

/// The number of lists of one kind that are made at the same time.
const TURNS: usize = 16;

/// The cached lists of one kind.
pub(super) struct CachedLists<K, T> {
    lists: Cache<K, Cached<T>, Weight>,
    turns: [Mutex<()>; TURNS],
}

/// A list and its weight in bytes.
pub(super) struct Weighed<T> {
    pub(super) list: T,
    pub(super) weight: usize,
}

struct Cached<T> {
    validity: Arc<RepoValidity>,
    list: Arc<T>,
    weight: u64,
}

impl<T> Clone for Cached<T> {
    fn clone(&self) -> Self {
        Self { validity: Arc::clone(&self.validity), list: Arc::clone(&self.list), weight: self.weight }
    }
}

#[derive(Clone)]
struct Weight;

impl<K, T> Weighter<K, Cached<T>> for Weight {
    fn weight(&self, _: &K, cached: &Cached<T>) -> u64 {
        LIST_WEIGHT + cached.weight
    }
}

impl<K: Copy + Eq + Hash, T> Default for CachedLists<K, T> {
    fn default() -> Self {
        Self { lists: Cache::with_weighter(ITEMS, WEIGHT, Weight), turns: std::array::from_fn(|_| Mutex::default()) }
    }
}

impl<K: Copy + Eq + Hash, T> CachedLists<K, T> {
    /// Returns the cached list, or the one that `make` makes, if it makes one.
    pub(super) async fn get(
        &self,
        house: &House,
        repo_id: RepoId,
        key: K,
        make: impl AsyncFnOnce() -> Result<Option<Weighed<T>>>,
    ) -> Result<Option<Arc<T>>> {
        if let Some(list) = self.find(house, &key) {
            return Ok(Some(list));
        }
        let turn = repo_id.get().unsigned_abs() % TURNS as u64;
        let _turn = self.turns[usize::try_from(turn).unwrap_or_default()].lock().await;
        if let Some(list) = self.find(house, &key) {
            return Ok(Some(list));
        }
        // First, so that a change during the look-up ends it.
        let validity = Arc::new(RepoValidity::begin(house, repo_id));
        let Some(Weighed { list, weight }) = make().await? else { return Ok(None) };
        let list = Arc::new(list);
        self.lists.insert(key, Cached { validity, list: Arc::clone(&list), weight: weight as u64 });
        Ok(Some(list))
    }

    fn find(&self, house: &House, key: &K) -> Option<Arc<T>> {
        self.lists.get(key).filter(|cached| cached.validity.holds(house)).map(|cached| cached.list)
    }
}
