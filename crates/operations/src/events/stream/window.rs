//! Which events are new to whoever follows, though some come in behind others.

use std::collections::BTreeSet;

use model::timestamp::Timestamp;

use crate::ids;

/// How long a transaction may take after it has made the key of its event. Keys of so long are looked at again and again.
const LATE_MS: i64 = 60_000;

/// Keys that are looked at together.
pub(super) const KEYS: usize = 1_000;

/// Rows that are told together: all that a connection ever has in memory.
pub(super) const ROWS: usize = 20;

/// What was told of the time in which something may still come in.
#[derive(Debug)]
pub(super) struct OverlapWindow {
    /// Nothing comes in any more at or before this key.
    settled: i64,
    /// Where the next look begins.
    cursor: i64,
    /// What was told after the time before `settled`.
    seen: BTreeSet<i64>,
}

/// What is to be told, and whether that is all for now.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct StreamPage {
    pub(super) ids: Vec<i64>,
    pub(super) is_all: bool,
}

impl OverlapWindow {
    /// A window that begins after a key, of which these were told before.
    pub(super) fn open(settled: i64, seen: BTreeSet<i64>) -> Self {
        Self { settled, cursor: settled, seen }
    }

    /// Where the next page of keys begins.
    pub(super) fn cursor(&self) -> i64 {
        self.cursor
    }

    /// Takes what is new of a page of keys, which is whole or the last one.
    pub(super) fn take(&mut self, page: &[i64], now: Timestamp) -> StreamPage {
        let ids: Vec<i64> = page.iter().copied().filter(|id| !self.seen.contains(id)).take(ROWS).collect();
        // How far everything is told, when there may be more behind it.
        let reached = match (ids.last(), page.last()) {
            (Some(last), _) if ids.len() == ROWS => Some(*last),
            (_, Some(last)) if page.len() == KEYS => Some(*last),
            _ => None,
        };
        self.seen.extend(&ids);
        let horizon = horizon(now);
        self.settled = self.settled.max(reached.map_or(horizon, |reached| reached.min(horizon)));
        self.cursor = reached.unwrap_or(self.settled);
        self.seen = self.seen.split_off(&start_before(self.settled));
        StreamPage { ids, is_all: reached.is_none() }
    }

    /// How many rows were told of the time up to this one; nothing where none can come in any more.
    pub(super) fn count_known(&self, row: i64, now: Timestamp) -> Option<usize> {
        (row > horizon(now)).then(|| self.seen.range(start_before(row) + 1..=row).count())
    }
}

/// The last key at or before which nothing comes in any more.
pub(super) fn horizon(now: Timestamp) -> i64 {
    ids::before(Timestamp::from_millis(now.millis() - LATE_MS))
}

/// Where the time begins in which others may have come in behind this one.
pub(super) fn start_before(row: i64) -> i64 {
    row.saturating_sub(ids::span(LATE_MS)).max(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_millis(1_800_000_000_000 + seconds * 1_000)
    }

    fn key(seconds: i64) -> i64 {
        ids::before(at(seconds))
    }

    fn take(window: &mut OverlapWindow, all: &[i64], now: i64) -> Vec<i64> {
        let mut taken = Vec::new();
        loop {
            let page: Vec<i64> = all.iter().copied().filter(|id| *id > window.cursor()).take(KEYS).collect();
            let new = window.take(&page, at(now));
            taken.extend(new.ids);
            if new.is_all {
                return taken;
            }
        }
    }

    #[test]
    fn what_comes_in_late_is_told_once() {
        let mut window = OverlapWindow::open(key(-60), BTreeSet::new());
        assert_eq!(take(&mut window, &[key(1), key(3)], 3), [key(1), key(3)]);
        assert_eq!(take(&mut window, &[key(1), key(2), key(3)], 50), [key(2)]);
        assert_eq!(take(&mut window, &[key(1), key(2), key(3), key(60)], 62), [key(60)]);
        assert_eq!(take(&mut window, &[key(1), key(2), key(3), key(60)], 600), [0; 0]);
    }

    #[test]
    fn many_are_told_in_their_order_and_not_all_are_remembered() {
        let all: Vec<i64> = (0..5_000).map(|number| key(0) + number).collect();
        let mut window = OverlapWindow::open(key(-60), BTreeSet::new());
        assert_eq!(take(&mut window, &all, 0), all);
        assert_eq!(take(&mut window, &all, 1), [0; 0]);
        assert_eq!(window.seen.len(), 5_000);
        take(&mut window, &all, 121);
        assert!(window.seen.is_empty());
    }

    #[test]
    fn a_place_counts_what_was_told_before_it() {
        let mut window = OverlapWindow::open(key(-60), BTreeSet::from([key(-70), key(-30)]));
        take(&mut window, &[key(-30), key(1), key(3)], 3);
        assert_eq!(window.count_known(key(1), at(3)), Some(2));
        assert_eq!(window.count_known(key(3), at(3)), Some(3));
        assert_eq!(window.count_known(key(3), at(100)), None);
    }
}
