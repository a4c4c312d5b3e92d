//! Download statistics of packages.

use crate::id::PackageId;

/// The scope of statistics: a package, and one of its versions or all of them.
#[derive(Debug, Clone, Copy)]
pub struct StatisticsScope {
    /// The id of the package.
    pub package_id: PackageId,
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

/// A property of downloads by which statistics sum them up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dimension {
    /// The downloaded version.
    Version,
    /// The country of the client, as a two-letter code.
    Country,
}

impl Dimension {
    /// All dimensions, in the order in which they are listed.
    pub const ALL: [Self; 2] = [Self::Version, Self::Country];

    /// Its name in the singular and in the plural.
    pub fn names(self) -> [&'static str; 2] {
        match self {
            Self::Version => ["version", "versions"],
            Self::Country => ["country", "countries"],
        }
    }

    /// The value that stands for an unknown one, if the dimension has such a value.
    pub fn unknown(self) -> Option<&'static str> {
        match self {
            Self::Version => None,
            Self::Country => Some(UNKNOWN_COUNTRY),
        }
    }
}

/// The country of an IP address that the geo database does not contain.
pub const UNKNOWN_COUNTRY: &str = "ZZ";

/// Downloads with the same value in a dimension.
#[derive(Debug, Clone)]
pub struct DimensionDownloads {
    /// The value: the name of a version, or the code of a country.
    pub value: String,
    /// The number of downloads.
    pub count: i64,
}
