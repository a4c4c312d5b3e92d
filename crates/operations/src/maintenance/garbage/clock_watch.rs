//! Detects jumps of the clock.

use std::time::Duration;

use model::timestamp::Timestamp;
use tokio::time::Instant;

/// How far the clock may deviate between two checks without counting as a jump.
const TOLERANCE_MS: i64 = 60_000;

/// Compares the clock with a monotonic one. After a jump, timestamps do not show how long a blob has been unreferenced.
pub(super) struct ClockWatch {
    told: Timestamp,
    at: Instant,
    distrusted_until: Option<Instant>,
}

impl ClockWatch {
    pub(super) fn new(told: Timestamp, at: Instant) -> Self {
        Self { told, at, distrusted_until: None }
    }

    /// Whether timestamps can be trusted: not until the grace period after a jump is over.
    pub(super) fn trusts(&mut self, told: Timestamp, at: Instant, grace: Duration) -> bool {
        let passed = i64::try_from(at.duration_since(self.at).as_millis()).unwrap_or(i64::MAX);
        let jump_ms = told.millis() - self.told.millis() - passed;
        (self.told, self.at) = (told, at);
        if jump_ms.abs() > TOLERANCE_MS {
            tracing::warn!("clock jumped by {} s; garbage collection is paused", jump_ms / 1_000);
            self.distrusted_until = Some(at + grace);
        }
        self.distrusted_until.is_none_or(|end| at >= end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRACE: Duration = Duration::from_secs(3_600);

    /// The answers of a watch, given pairs of seconds: those that have passed, and those that the clock shows.
    fn trusts(looks: &[(u64, i64)]) -> Vec<bool> {
        let start = Instant::now();
        let mut watch = ClockWatch::new(Timestamp::EPOCH, start);
        let look = |(passed, told): &(u64, i64)| {
            watch.trusts(Timestamp::from_millis(told * 1_000), start + Duration::from_secs(*passed), GRACE)
        };
        looks.iter().map(look).collect()
    }

    #[test]
    fn a_clock_that_runs_is_trusted() {
        assert_eq!(trusts(&[(0, 0), (120, 121), (240, 200), (5_000, 4_950)]), [true; 4]);
    }

    #[test]
    fn a_jump_forward_is_distrusted_for_a_grace_time() {
        assert_eq!(trusts(&[(100, 100), (200, 90_000), (300, 90_100), (3_900, 93_700)]), [true, false, false, true]);
    }

    #[test]
    fn a_jump_back_is_distrusted_as_well() {
        assert_eq!(trusts(&[(100, -90_000), (3_600, -86_500), (3_700, -86_400)]), [false, false, true]);
    }
}
