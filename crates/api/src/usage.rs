//! The usage of subjects, repositories and packages.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::patch::present;

/// The usage in a month.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Usage {
    /// The start of the month.
    pub from: String,
    /// The end of the month; now, if it is not over.
    pub to: String,
    /// Whether it is not over.
    pub partial_period: bool,
    /// Bytes that were stored at its end.
    pub storage_bytes: i64,
    /// Bytes that were downloaded.
    pub download_bytes: i64,
}

/// The storage that a package uses.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct PackageUsage {
    /// The package's name.
    pub package: String,
    /// Bytes of its files, published and staged.
    pub storage_bytes: i64,
    /// How many files it has.
    pub file_count: i64,
}

/// Usage thresholds; crossing one records an event.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct UsageThreshold {
    /// Bytes that are stored at any time of a month.
    pub monthly_storage_bytes: Option<i64>,
    /// Bytes that are downloaded in a month.
    pub monthly_download_bytes: Option<i64>,
    /// Bytes that are downloaded in a day.
    pub daily_download_bytes: Option<i64>,
}

/// The body that sets thresholds. Absent fields stay unchanged, null removes one.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct UsageThresholdChange {
    /// Bytes that are stored at any time of a month.
    #[serde(default, deserialize_with = "present")]
    pub monthly_storage_bytes: Option<Option<i64>>,
    /// Bytes that are downloaded in a month.
    #[serde(default, deserialize_with = "present")]
    pub monthly_download_bytes: Option<Option<i64>>,
    /// Bytes that are downloaded in a day.
    #[serde(default, deserialize_with = "present")]
    pub daily_download_bytes: Option<Option<i64>>,
}
