//! What a node remembers of indexes: assembled files, views for readers of parts, and work for the job.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use model::id::RepoId;
use quick_cache::sync::Cache;

use crate::indexes::{assemble::IndexContent, parts::Parts, view::View};

/// The number of small files that are cached.
const SMALL_FILES: usize = 256;

/// The number of large files that are cached, each in a file of the spool.
const LARGE_FILES: usize = 32;

/// The number of views that are cached.
const VIEWS: usize = 32;

/// The number of files whose parts are cached.
const WITH_PARTS: usize = 8;

/// A long build extends its lease this often.
const RENEW_EVERY: Duration = Duration::from_secs(10);

/// What a node remembers of indexes.
pub(crate) struct IndexCaches {
    /// Assembled files by the id of their row.
    pub(super) small: Cache<i64, Arc<IndexContent>>,
    pub(super) large: Cache<i64, Arc<IndexContent>>,
    /// The parts of files by the id of their row.
    pub(super) parts: Cache<i64, Arc<Parts>>,
    /// Views by the generation of a repository and the digest of the files in them.
    pub(super) views: Cache<(RepoId, i64, [u8; 32]), Arc<View>>,
    /// For each repository with changes, one of those at the last look of the job.
    seen: Mutex<BTreeMap<RepoId, i64>>,
    /// Repositories with many small blocks.
    scattered: Mutex<BTreeSet<RepoId>>,
    /// When running builds have last extended their leases.
    renewals: Mutex<HashMap<i64, Instant>>,
}

impl Default for IndexCaches {
    fn default() -> Self {
        Self {
            small: Cache::new(SMALL_FILES),
            large: Cache::new(LARGE_FILES),
            parts: Cache::new(WITH_PARTS),
            views: Cache::new(VIEWS),
            seen: Mutex::default(),
            scattered: Mutex::default(),
            renewals: Mutex::default(),
        }
    }
}

impl fmt::Debug for IndexCaches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IndexCaches").finish_non_exhaustive()
    }
}

impl IndexCaches {
    /// Replaces the changes of the last look, and returns the repositories whose change was there then, too.
    pub(super) fn look(&self, found: BTreeMap<RepoId, i64>) -> Vec<RepoId> {
        let mut seen = lock(&self.seen);
        let old = found.iter().filter(|(repo_id, id)| seen.get(repo_id) == Some(id));
        let old = old.map(|(repo_id, _)| *repo_id).collect();
        *seen = found;
        old
    }

    /// Remembers that a repository has many small blocks.
    pub(super) fn mark_scattered(&self, repo_id: RepoId) {
        lock(&self.scattered).insert(repo_id);
    }

    /// Returns the repositories with many small blocks, and forgets them.
    pub(super) fn take_scattered(&self) -> BTreeSet<RepoId> {
        std::mem::take(&mut *lock(&self.scattered))
    }

    /// Whether the builder with this lease has not extended it for a while.
    pub(super) fn is_renewal_due(&self, token: i64) -> bool {
        let mut renewals = lock(&self.renewals);
        let now = Instant::now();
        renewals.retain(|_, last| now.duration_since(*last) < 100 * RENEW_EVERY);
        let last = renewals.entry(token).or_insert(now);
        let is_due = now.duration_since(*last) >= RENEW_EVERY;
        if is_due {
            *last = now;
        }
        is_due
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
