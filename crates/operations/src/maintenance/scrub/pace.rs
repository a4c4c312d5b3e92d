//! The rate at which content is read.

use crate::House;

/// The minimum number of bytes read per second: a small installation is done soon, without noticeable load.
const LEAST: u64 = 1 << 20;

const DAY_SECS: u64 = 24 * 3_600;

/// A rate in bytes per second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pace(u64);

impl Pace {
    /// Returns the rate that reads this many bytes within four fifths of this many days, limited by the setting.
    pub(super) fn of(total_bytes: u64, period_days: u64, most: u64) -> Self {
        let seconds = (period_days * DAY_SECS * 4 / 5).max(1);
        let wanted = total_bytes.div_ceil(seconds);
        if wanted > most {
            tracing::warn!(
                "scrub needs more than {period_days} days at {most} bytes a second; raise \
                 scrub.bytes_per_second or scrub.period_days"
            );
        }
        Self(wanted.max(LEAST).min(most.max(1)))
    }

    /// The highest rate that the setting allows.
    pub(super) fn fastest(house: &House) -> Self {
        Self(house.policy.scrub.bytes_per_second.max(1))
    }

    /// The rate in bytes per second.
    pub(super) fn bytes_per_second(self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pace_fits_the_period_and_has_bounds() {
        assert_eq!(Pace::of(0, 30, 50 << 20), Pace(1 << 20));
        assert_eq!(Pace::of(u64::MAX / 2, 30, 50 << 20), Pace(50 << 20));
        let terabytes = 20_u64 << 40;
        let Pace(rate) = Pace::of(terabytes, 30, 50 << 20);
        let days = terabytes / rate / DAY_SECS;
        assert!((22..=24).contains(&days), "{days}");
    }
}
