//! Download statistics of a package's versions: counts by day, version and dimension, and their sums.

use std::collections::BTreeMap;

use model::{
    day::Days,
    id::VersionId,
    statistics::{DailyDownloads, Dimension, DimensionDownloads, StatisticsScope},
};

use crate::{
    Error, Read, Result, Tx,
    engine::{
        row::{FromRow, Row, row},
        statement::{Value, select, sql},
    },
};

/// Downloads of a version on a day from a country.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DownloadCount {
    /// The id of the version.
    pub version_id: VersionId,
    /// The day, as a number of days since the start of 1970.
    pub day: i64,
    /// The two-letter code of the country.
    pub country: String,
    /// The number of downloads.
    pub count: i64,
    /// The number of bytes sent.
    pub bytes: i64,
}

/// Adds to the counts. Ignores a version that was deleted meanwhile.
pub async fn add(tx: &mut Tx, downloads: &DownloadCount) -> Result<()> {
    tx.run(sql!(
        "INSERT INTO download_counts (version_id, day, country, count, bytes)
         SELECT v.id, $2, $3, $4, $5
         FROM versions v
         WHERE v.id = $1
         ON CONFLICT (version_id, day, country) DO UPDATE SET
             count = download_counts.count + excluded.count,
             bytes = download_counts.bytes + excluded.bytes",
        downloads.version_id,
        downloads.day,
        &downloads.country,
        downloads.count,
        downloads.bytes,
    ))
    .await?;
    Ok(())
}

/// Returns the range of ordinals that the versions of a scope can have: together with the package, they are one range
/// of an index.
fn ordinals(scope: StatisticsScope) -> (i64, i64) {
    scope.ordinal.map_or((i64::MIN, i64::MAX), |ordinal| (ordinal, ordinal))
}

row! {
    /// Downloads of a version on several days.
    struct OfDays {
        version: String = "v.name",
        /// `day=count` for each day and country, separated by commas.
        counts: String = "STRING_AGG(c.day || '=' || c.count, ',')",
    }
}

/// Returns the downloads by day and version, ordered by day and then by version.
///
/// The counts of a version are fetched as one text: as rows, most of the time would be spent on transferring them.
pub async fn list_by_day(db: &dyn Read, scope: StatisticsScope, days: Days) -> Result<Vec<DailyDownloads>> {
    let (first, last) = ordinals(scope);
    let versions: Vec<OfDays> = db
        .all(select!(
            OfDays,
            "FROM versions v
             JOIN download_counts c ON c.version_id = v.id
             WHERE v.package_id = $1 AND v.ordinal >= $2 AND v.ordinal <= $3 AND c.day >= $4 AND c.day <= $5
             GROUP BY v.ordinal, v.name
             ORDER BY v.ordinal",
            scope.package_id,
            first,
            last,
            days.first.number(),
            days.last.number(),
        ))
        .await?;
    let mut counts: BTreeMap<(i64, usize), i64> = BTreeMap::new();
    for (place, of_days) in versions.iter().enumerate() {
        for of_day in of_days.counts.split(',') {
            let (day, count) = parse(of_day).ok_or_else(|| Error::Broken(format!("'{of_day}' is not a count")))?;
            *counts.entry((day, place)).or_default() += count;
        }
    }
    let of_day = |((day, place), count): ((i64, usize), i64)| DailyDownloads {
        day,
        version: versions[place].version.clone(),
        count,
    };
    Ok(counts.into_iter().map(of_day).collect())
}

/// Parses a day and its count.
fn parse(of_day: &str) -> Option<(i64, i64)> {
    let (day, count) = of_day.split_once('=')?;
    Some((day.parse().ok()?, count.parse().ok()?))
}

/// A value of a dimension, and the sum of its counts.
impl FromRow for DimensionDownloads {
    fn from_row(row: &Row<'_>) -> Result<Self> {
        Ok(Self { value: row.get(0)?, count: row.get(1)? })
    }
}

/// Returns the downloads by the values of a dimension: by version in the order of versions, else ordered by value.
pub async fn list_by(
    db: &dyn Read,
    dimension: Dimension,
    scope: StatisticsScope,
    days: Days,
) -> Result<Vec<DimensionDownloads>> {
    let (first, last) = ordinals(scope);
    let mut statement = match dimension {
        Dimension::Version => sql!(
            "SELECT v.name, CAST(SUM(c.count) AS BIGINT)
             FROM versions v
             JOIN download_counts c ON c.version_id = v.id
             WHERE v.package_id = $1 AND v.ordinal >= $2 AND v.ordinal <= $3 AND c.day >= $4 AND c.day <= $5
             GROUP BY v.ordinal, v.name
             ORDER BY v.ordinal",
        ),
        Dimension::Country => sql!(
            "SELECT c.country, CAST(SUM(c.count) AS BIGINT)
             FROM versions v
             JOIN download_counts c ON c.version_id = v.id
             WHERE v.package_id = $1 AND v.ordinal >= $2 AND v.ordinal <= $3 AND c.day >= $4 AND c.day <= $5
             GROUP BY c.country
             ORDER BY c.country",
        ),
    };
    let (first_day, last_day) = (days.first.number(), days.last.number());
    statement.arguments = [scope.package_id.get(), first, last, first_day, last_day].map(Value::from).into();
    db.all(statement).await
}
