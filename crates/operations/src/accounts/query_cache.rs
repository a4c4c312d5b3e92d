//! Caches the number of counted queries of users today: responses contain the remaining quota, and replayed ones need
//! no query for it.
//!
//! The database has the exact number. Every count that this node makes or reads is cached here; counts by other nodes
//! become visible at the next look-up, which is due when cached responses are revalidated.

use std::{
    convert::Infallible,
    fmt,
    sync::{
        Arc,
        atomic::{AtomicI64, AtomicU64, Ordering},
    },
    time::Instant,
};

use model::id::SubjectId;
use quick_cache::sync::Cache;

/// The maximum number of entries.
const USERS: usize = 4_096;

/// The counts, by user and day.
pub(crate) struct QueryCountCache {
    counts: Cache<(SubjectId, i64), Arc<Count>>,
    began: Instant,
}

#[derive(Default)]
struct Count {
    /// It never decreases within a day.
    count: AtomicI64,
    /// The end of its validity, in milliseconds since the cache was created.
    until: AtomicU64,
}

impl Default for QueryCountCache {
    fn default() -> Self {
        Self { counts: Cache::new(USERS), began: Instant::now() }
    }
}

impl QueryCountCache {
    /// Returns the count of a user's day, if it is still valid.
    pub(crate) fn find(&self, user_id: SubjectId, day: i64) -> Option<i64> {
        let known = self.counts.get(&(user_id, day))?;
        let is_fresh = self.millis(Instant::now()) < known.until.load(Ordering::Acquire);
        is_fresh.then(|| known.count.load(Ordering::Acquire))
    }

    /// Stores a count from the database. Of two simultaneous ones, the larger is the later one.
    pub(crate) fn record(&self, user_id: SubjectId, day: i64, count: i64, until: Instant) {
        let made = self.counts.get_or_insert_with(&(user_id, day), || Ok::<_, Infallible>(Arc::default()));
        let Ok(known) = made;
        known.count.fetch_max(count, Ordering::AcqRel);
        known.until.fetch_max(self.millis(until), Ordering::AcqRel);
    }

    fn millis(&self, at: Instant) -> u64 {
        u64::try_from(at.saturating_duration_since(self.began).as_millis()).unwrap_or(u64::MAX)
    }
}

impl fmt::Debug for QueryCountCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KnownQueries").field("len", &self.counts.len()).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_largest_count_of_a_day_is_known_until_it_is_old() {
        let known = QueryCountCache::default();
        let (now, later) = (Instant::now(), Instant::now() + Duration::from_secs(60));
        let (ada, bob) = (SubjectId::new(1), SubjectId::new(2));
        assert_eq!(known.find(ada, 7), None);
        known.record(ada, 7, 3, later);
        known.record(ada, 7, 2, now);
        assert_eq!((known.find(ada, 7), known.find(ada, 8), known.find(bob, 7)), (Some(3), None, None));
        known.record(bob, 7, 5, now);
        assert_eq!(known.find(bob, 7), None);
    }
}
