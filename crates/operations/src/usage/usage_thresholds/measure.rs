//! The measures that have thresholds, and their periods.

use database::{Read, usage};
use model::{
    day::{Day, Days},
    month::Month,
    timestamp::Timestamp,
    usage::{Thresholds, UsageScope},
};

use crate::Result;

/// A measure of usage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Measure {
    MonthlyStorage,
    MonthlyDownload,
    DailyDownload,
}

impl Measure {
    pub(super) const ALL: [Measure; 3] = [Measure::MonthlyStorage, Measure::MonthlyDownload, Measure::DailyDownload];

    /// The name, which is that of the field.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Measure::MonthlyStorage => "monthly_storage_bytes",
            Measure::MonthlyDownload => "monthly_download_bytes",
            Measure::DailyDownload => "daily_download_bytes",
        }
    }

    /// The threshold of this measure.
    pub(super) fn of(self, thresholds: &Thresholds) -> Option<i64> {
        match self {
            Measure::MonthlyStorage => thresholds.monthly_storage_bytes,
            Measure::MonthlyDownload => thresholds.monthly_download_bytes,
            Measure::DailyDownload => thresholds.daily_download_bytes,
        }
    }

    /// The threshold of this measure, for changing it.
    pub(super) fn of_mut(self, thresholds: &mut Thresholds) -> &mut Option<i64> {
        match self {
            Measure::MonthlyStorage => &mut thresholds.monthly_storage_bytes,
            Measure::MonthlyDownload => &mut thresholds.monthly_download_bytes,
            Measure::DailyDownload => &mut thresholds.daily_download_bytes,
        }
    }

    /// Returns the days of the period that contains a time.
    pub(super) fn period(self, now: Timestamp) -> Days {
        match self {
            Measure::MonthlyStorage | Measure::MonthlyDownload => Month::of(now).days(),
            Measure::DailyDownload => Days { first: Day::of(now), last: Day::of(now) },
        }
    }

    /// Returns the usage in the current period, up to now.
    pub(super) async fn take(self, db: &dyn Read, scope: UsageScope, now: Timestamp) -> Result<i64> {
        if self == Measure::MonthlyStorage {
            return Ok(usage::find_storage(db, scope).await?);
        }
        let days = usage::list_downloads(db, scope, self.period(now)).await?;
        Ok(days.into_iter().fold(0, |sum: i64, (_, bytes)| sum.saturating_add(bytes)))
    }
}
