//! The names of all packages of a repository, and answers made from them. To read and write a hundred thousand names takes
//! a second, and everyone may ask for them, so both are cached until the repository changes.

use std::{fmt, sync::Arc};

use database::content::published_packages;
use model::id::RepoId;
use quick_cache::{Weighter, sync::Cache};
use tokio::sync::Mutex;

use crate::{
    House, Result,
    cache::RepoValidity,
    format::NativeAnswer,
    native::published::{Names, PACKAGES, named},
};

/// The total weight of all cached lists, and of all cached answers, in bytes.
const WEIGHT: u64 = 64 << 20;

/// The weight of a list besides its names.
const LIST_WEIGHT: u64 = 256;

/// The weight of a name besides its bytes.
const NAME_WEIGHT: usize = 48;

/// The estimated number of cached lists.
const ITEMS: usize = 1024;

/// The number of lists that are made at the same time. Those who ask for one that is being made wait for it.
const TURNS: usize = 16;

/// The number of packages that one statement reads.
const PAGE: i64 = 5_000;

/// Identifies an answer: the repository, the route, and the media type.
type AnswerKey = (RepoId, &'static str, &'static str);

/// The cached lists and answers.
pub(crate) struct NameLists {
    names: Cache<RepoId, Cached<Names>, Weight>,
    answers: Cache<AnswerKey, Cached<NativeAnswer>, Weight>,
    turns: [Mutex<()>; TURNS],
}

/// Something that was made from the names of a repository.
struct Cached<T> {
    validity: Arc<RepoValidity>,
    made: Arc<T>,
    weight: u64,
}

impl<T> Clone for Cached<T> {
    fn clone(&self) -> Self {
        Self { validity: Arc::clone(&self.validity), made: Arc::clone(&self.made), weight: self.weight }
    }
}

#[derive(Clone)]
struct Weight;

impl<K, T> Weighter<K, Cached<T>> for Weight {
    fn weight(&self, _: &K, cached: &Cached<T>) -> u64 {
        LIST_WEIGHT + cached.weight
    }
}

impl Default for NameLists {
    fn default() -> Self {
        Self {
            names: Cache::with_weighter(ITEMS, WEIGHT, Weight),
            answers: Cache::with_weighter(ITEMS, WEIGHT, Weight),
            turns: std::array::from_fn(|_| Mutex::default()),
        }
    }
}

impl fmt::Debug for NameLists {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NameLists").finish_non_exhaustive()
    }
}

impl NameLists {
    /// Returns the names of the repository's own packages with published versions.
    pub(super) async fn names(&self, house: &House, repo_id: RepoId) -> Result<Arc<Names>> {
        if let Some(cached) = self.find_names(house, repo_id) {
            return Ok(cached.made);
        }
        let _turn = self.turn(repo_id).lock().await;
        Ok(self.names_in_turn(house, repo_id).await?.made)
    }

    /// Returns the answer that `make` makes from these names, or a cached one with the same route and media type.
    pub(super) async fn answer(
        &self,
        house: &House,
        key: AnswerKey,
        make: impl FnOnce(&Names) -> Option<NativeAnswer>,
    ) -> Result<Option<Arc<NativeAnswer>>> {
        let find = || self.answers.get(&key).filter(|cached| cached.validity.holds(house));
        if let Some(cached) = find() {
            return Ok(Some(cached.made));
        }
        let _turn = self.turn(key.0).lock().await;
        if let Some(cached) = find() {
            return Ok(Some(cached.made));
        }
        let names = self.names_in_turn(house, key.0).await?;
        let Some(answer) = make(&names.made) else { return Ok(None) };
        let (weight, made) = (answer.content.len() as u64, Arc::new(answer));
        self.answers.insert(key, Cached { validity: names.validity, made: Arc::clone(&made), weight });
        Ok(Some(made))
    }

    fn find_names(&self, house: &House, repo_id: RepoId) -> Option<Cached<Names>> {
        self.names.get(&repo_id).filter(|cached| cached.validity.holds(house))
    }

    async fn names_in_turn(&self, house: &House, repo_id: RepoId) -> Result<Cached<Names>> {
        if let Some(cached) = self.find_names(house, repo_id) {
            return Ok(cached);
        }
        // First, so that a change during the look-up ends it.
        let validity = Arc::new(RepoValidity::begin(house, repo_id));
        let names = read(house, repo_id).await?;
        let weight: usize = names.keys().map(|name| name.len() + NAME_WEIGHT).sum();
        let cached = Cached { validity, made: Arc::new(names), weight: weight as u64 };
        self.names.insert(repo_id, cached.clone());
        Ok(cached)
    }

    fn turn(&self, repo_id: RepoId) -> &Mutex<()> {
        &self.turns[usize::try_from(repo_id.get().unsigned_abs() % TURNS as u64).unwrap_or_default()]
    }
}

async fn read(house: &House, repo_id: RepoId) -> Result<Names> {
    let (mut names, mut last) = (Names::new(), String::new());
    while names.len() < PACKAGES {
        let page = published_packages::list_after(&house.db, repo_id, &last, PAGE).await?;
        let Some(end) = page.last() else { break };
        last.clone_from(&end.name);
        names.extend(page.into_iter().map(named));
    }
    Ok(names)
}
