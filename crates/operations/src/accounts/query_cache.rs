//! How many counted queries users have made today, as this node saw it last: answers tell what is left, and those that are
//! sent again ask nobody.
//!
//! The database has the exact number. Whatever this node counts or reads there is remembered here; what other nodes count
//! is seen at the next look, which is due as soon as kept answers are looked up again.

use std::{
    convert::Infallible,
    fmt,
    sync::{
        Arc,
        atomic::{AtomicI64, AtomicU64, Ordering},
    },
    time::Instant,
};

use quick_cache::sync::Cache;

/// How many are known at most.
const USERS: usize = 4_096;

/// The counts, by user and day.
pub(crate) struct KnownQueries {
    counts: Cache<(i64, i64), Arc<Count>>,
    began: Instant,
}

#[derive(Default)]
struct Count {
    /// It never falls within a day.
    count: AtomicI64,
    /// Until when nothing has to be asked, in milliseconds since all of this began.
    until: AtomicU64,
}

impl Default for KnownQueries {
    fn default() -> Self {
        Self { counts: Cache::new(USERS), began: Instant::now() }
    }
}

impl KnownQueries {
    /// The count of a user's day, if it was seen a moment ago.
    pub(crate) fn find(&self, user_id: i64, day: i64) -> Option<i64> {
        let known = self.counts.get(&(user_id, day))?;
        let is_fresh = self.millis(Instant::now()) < known.until.load(Ordering::Acquire);
        is_fresh.then(|| known.count.load(Ordering::Acquire))
    }

    /// Remembers what the database has said. Of two that come at once, the larger is the later one.
    pub(crate) fn note(&self, user_id: i64, day: i64, count: i64, until: Instant) {
        let made = self.counts.get_or_insert_with(&(user_id, day), || Ok::<_, Infallible>(Arc::default()));
        let Ok(known) = made;
        known.count.fetch_max(count, Ordering::AcqRel);
        known.until.fetch_max(self.millis(until), Ordering::AcqRel);
    }

    fn millis(&self, at: Instant) -> u64 {
        u64::try_from(at.saturating_duration_since(self.began).as_millis()).unwrap_or(u64::MAX)
    }
}

impl fmt::Debug for KnownQueries {
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
        let known = KnownQueries::default();
        let (now, later) = (Instant::now(), Instant::now() + Duration::from_secs(60));
        assert_eq!(known.find(1, 7), None);
        known.note(1, 7, 3, later);
        known.note(1, 7, 2, now);
        assert_eq!((known.find(1, 7), known.find(1, 8), known.find(2, 7)), (Some(3), None, None));
        known.note(2, 7, 5, now);
        assert_eq!(known.find(2, 7), None);
    }
}
