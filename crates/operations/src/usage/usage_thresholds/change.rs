//! Changes to thresholds.

use model::usage::Thresholds;

use crate::{Error, Result, usage::usage_thresholds::measure::Measure};

/// A change of thresholds. Absent fields stay as they are; `Some(None)` removes a threshold.
#[derive(Debug, Clone, Copy, Default)]
pub struct ThresholdChange {
    /// Bytes stored at any time of a month.
    pub monthly_storage_bytes: Option<Option<i64>>,
    /// Bytes downloaded in a month.
    pub monthly_download_bytes: Option<Option<i64>>,
    /// Bytes downloaded in a day.
    pub daily_download_bytes: Option<Option<i64>>,
}

impl ThresholdChange {
    pub(super) fn apply(self, mut thresholds: Thresholds) -> Result<Thresholds> {
        for measure in Measure::ALL {
            let change = match measure {
                Measure::MonthlyStorage => self.monthly_storage_bytes,
                Measure::MonthlyDownload => self.monthly_download_bytes,
                Measure::DailyDownload => self.daily_download_bytes,
            };
            if change.flatten().is_some_and(|bytes| bytes < 1) {
                return Err(Error::invalid(measure.as_str(), "it must be 1 or more"));
            }
            if let Some(bytes) = change {
                *measure.of_mut(&mut thresholds) = bytes;
            }
        }
        if thresholds == Thresholds::default() {
            return Err(Error::invalid(Measure::ALL[0].as_str(), "it or another threshold must be a number of bytes"));
        }
        Ok(thresholds)
    }
}
