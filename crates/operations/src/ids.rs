//! Ids of rows: 64-bit numbers that grow with time.

use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};

use model::timestamp::Timestamp;

use crate::Entropy;

/// The start of 2024: ids count milliseconds from here.
const EPOCH_MS: i64 = 1_704_067_200_000;

/// The number of random bits below the milliseconds, which prevent collisions between nodes.
const RANDOM_BITS: u32 = 21;

/// Generates increasing ids, even within one millisecond and when the clock steps back. Clones continue from the same
/// id.
#[derive(Debug, Clone, Default)]
pub struct Ids {
    last: Arc<AtomicI64>,
}

impl Ids {
    /// Returns the next id. The first of a millisecond is random, and the others follow it.
    pub fn next(&self, now: Timestamp, entropy: &Entropy) -> i64 {
        let start = before(now);
        self.step(|last| (last >= start).then_some(last + 1)).unwrap_or_else(|| {
            let random = i64::try_from(entropy.number() >> (64 - RANDOM_BITS)).unwrap_or_default();
            self.step(|last| Some((start | random).max(last + 1))).unwrap_or_default()
        })
    }

    fn step(&self, next: impl Fn(i64) -> Option<i64>) -> Option<i64> {
        let last = self.last.fetch_update(Ordering::Relaxed, Ordering::Relaxed, &next).ok()?;
        next(last)
    }
}

/// Returns an id below all that are generated from this time on.
pub(crate) fn before(moment: Timestamp) -> i64 {
    (moment.millis() - EPOCH_MS).clamp(0, i64::MAX >> RANDOM_BITS) << RANDOM_BITS
}

/// The number of ids in this many milliseconds.
pub(crate) fn span(milliseconds: i64) -> i64 {
    milliseconds << RANDOM_BITS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_grow_even_when_the_clock_does_not() {
        let (ids, entropy) = (Ids::default(), Entropy::seeded(1));
        let moment = Timestamp::from_millis(1_800_000_000_000);
        let made: Vec<i64> = (0..10_000).map(|_| ids.next(moment, &entropy)).collect();
        assert!(made.is_sorted_by(|one, two| one < two));
        assert!(ids.next(Timestamp::EPOCH, &entropy) > made[made.len() - 1]);
    }

    #[test]
    fn a_moment_has_an_id_below_its_own() {
        let moment = |seconds: i64| Timestamp::from_millis(1_800_000_000_000 + seconds * 1_000);
        let id = Ids::default().next(moment(0), &Entropy::seeded(1));
        assert!(before(moment(0)) <= id && id < before(moment(1)));
        assert_eq!(before(Timestamp::EPOCH), 0);
        assert!(before(Timestamp::MAX) > 0);
    }
}
