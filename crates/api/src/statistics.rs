//! Download statistics.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The days to return statistics for.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct TimeRange {
    /// A time on the first day.
    pub from: Option<String>,
    /// A time on the last day.
    pub to: Option<String>,
}

/// Downloads by day and version.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct DailyDownloads {
    /// The start of the first day.
    pub from: String,
    /// The end of the last day.
    pub to: String,
    /// The days that had downloads.
    pub records: Vec<DayRecord>,
}

/// The downloads of a day.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct DayRecord {
    /// The day, as `yyyy-MM-dd`.
    pub date: String,
    /// The versions that were downloaded.
    pub downloads: Vec<VersionDownloads>,
}

/// How often a version was downloaded.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct VersionDownloads {
    /// The version's name.
    pub version: String,
    /// The number of downloads.
    pub count: i64,
}

/// Downloads by version.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct TotalDownloads {
    /// The start of the first day.
    pub from: String,
    /// The end of the last day.
    pub to: String,
    /// The versions that had downloads.
    pub records: Vec<VersionDownloads>,
}

/// How often something was downloaded from a country.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct CountryRecord {
    /// The country's two letters; `ZZ` where it is not known.
    pub country: String,
    /// The number of downloads.
    pub count: i64,
}

/// Downloads by country.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct CountryDownloads {
    /// The start of the first day.
    pub from: String,
    /// The end of the last day.
    pub to: String,
    /// The countries that had downloads.
    pub records: Vec<CountryRecord>,
}

/// A way to group downloads, and the call that does it.
#[derive(Debug, Clone, Copy)]
pub struct StatisticsGrouping {
    /// Its name.
    pub name: &'static str,
    /// The last segment of the call's path.
    pub call: &'static str,
    /// The field of a record that names its group.
    pub field: &'static str,
}

/// All ways to group downloads.
pub const STATISTICS_GROUPINGS: &[StatisticsGrouping] = &[
    StatisticsGrouping { name: "day", call: "time_range_downloads", field: "date" },
    StatisticsGrouping { name: "version", call: "total_downloads", field: "version" },
    StatisticsGrouping { name: "country", call: "country_downloads", field: "country" },
];
