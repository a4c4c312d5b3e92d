//! Determines which events are new to a subscriber, although rows may appear out of order.

use std::collections::BTreeSet;

use model::timestamp::Timestamp;

use crate::ids;

/// How long a transaction may take after it has generated the id of its event. Ids within this time are read
/// repeatedly.
const LATE_MS: i64 = 60_000;

/// The number of ids read together.
pub(super) const KEYS: usize = 1_000;

/// The number of rows sent together: all that a connection ever has in memory.
pub(super) const ROWS: usize = 20;

/// The rows already sent in the period in which late rows may still appear.
#[derive(Debug)]
pub(super) struct OverlapWindow {
    /// No row appears any more at or before this id.
    settled: i64,
    /// The start of the next read.
    cursor: i64,
    /// The ids sent, from one window length before `settled` on.
    seen: BTreeSet<i64>,
}

/// The ids to send, and whether they are all for now.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct StreamPage {
    pub(super) ids: Vec<i64>,
    pub(super) is_all: bool,
}

impl OverlapWindow {
    /// Opens a window that begins after an id, with the ids in it that were sent before.
    pub(super) fn open(settled: i64, seen: BTreeSet<i64>) -> Self {
        Self { settled, cursor: settled, seen }
    }

    /// The start of the next page of ids.
    pub(super) fn cursor(&self) -> i64 {
        self.cursor
    }

    /// Takes the new ids of a page, which is either full or the last one.
    pub(super) fn take(&mut self, page: &[i64], now: Timestamp) -> StreamPage {
        let ids: Vec<i64> = page.iter().copied().filter(|id| !self.seen.contains(id)).take(ROWS).collect();
        // The last id up to which everything is sent, if more may follow.
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

    /// Counts the rows sent in the window that ends with this one; `None` if no late row can appear in it any more.
    pub(super) fn count_known(&self, row: i64, now: Timestamp) -> Option<usize> {
        (row > horizon(now)).then(|| self.seen.range(start_before(row) + 1..=row).count())
    }
}

/// The last id at or before which no row appears any more.
pub(super) fn horizon(now: Timestamp) -> i64 {
    ids::before(Timestamp::from_millis(now.millis() - LATE_MS))
}

/// The start of the window in which late rows may have appeared before this one.
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
