//! The timer of periodic work.

use std::time::Duration;

use tokio::time::{Interval, MissedTickBehavior};

/// Ticks at once and then once a period; after a missed tick the next one is a period later.
pub(crate) fn every(period: Duration) -> Interval {
    let mut interval = tokio::time::interval(period);
    interval.set_missed_tick_behavior(MissedTickBehavior::Delay);
    interval
}
