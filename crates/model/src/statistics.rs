//! Download statistics of packages.

/// The scope of statistics: a package, and one of its versions or all of them.
#[derive(Debug, Clone, Copy)]
pub struct StatisticsScope {
    /// The id of the package.
    pub package_id: i64,
    /// The ordinal of the version in its package.
    pub ordinal: Option<i64>,
}

/// Downloads of a version on a day.
#[derive(Debug, Clone)]
pub struct DailyDownloads {
    /// The day's number.
    pub day: i64,
    /// The version's name.
    pub version: String,
    /// The number of downloads.
    pub count: i64,
}

/// Downloads of a version.
#[derive(Debug, Clone)]
pub struct VersionDownloads {
    /// The version's name.
    pub version: String,
    /// The number of downloads.
    pub count: i64,
}

/// Downloads from a country.
#[derive(Debug, Clone)]
pub struct CountryDownloads {
    /// The two-letter code of the country.
    pub country: String,
    /// The number of downloads.
    pub count: i64,
}
