//! Download statistics of a package's versions, summed up.

use std::collections::BTreeMap;

use model::{
    day::Days,
    statistics::{CountryDownloads, DailyDownloads, StatisticsScope, VersionDownloads},
};

use crate::{
    Error, Read, Result,
    engine::{row::row, statement::select},
};

/// Returns the range of ordinals that the versions of a scope can have: together with the package, they are one range
/// of an index.
fn ordinals(scope: StatisticsScope) -> (i64, i64) {
    scope.ordinal.map_or((i64::MIN, i64::MAX), |ordinal| (ordinal, ordinal))
}

row! {
    struct VersionDownloadsRow => VersionDownloads {
        version: String = "v.name", count: i64 = "CAST(SUM(c.count) AS BIGINT)",
    }
}

row! {
    struct CountryDownloadsRow in "c" => CountryDownloads {
        country: String, count: i64 = "CAST(SUM(c.count) AS BIGINT)",
    }
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
pub async fn list_by_day(db: &impl Read, scope: StatisticsScope, days: Days) -> Result<Vec<DailyDownloads>> {
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

/// Returns the downloads by version, in the order of versions.
pub async fn list_by_version(db: &impl Read, scope: StatisticsScope, days: Days) -> Result<Vec<VersionDownloads>> {
    let (first, last) = ordinals(scope);
    db.all(select!(
        VersionDownloadsRow,
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
    .await
}

/// Returns the downloads by country, ordered by country code.
pub async fn list_by_country(db: &impl Read, scope: StatisticsScope, days: Days) -> Result<Vec<CountryDownloads>> {
    let (first, last) = ordinals(scope);
    db.all(select!(
        CountryDownloadsRow,
        "FROM versions v
         JOIN download_counts c ON c.version_id = v.id
         WHERE v.package_id = $1 AND v.ordinal >= $2 AND v.ordinal <= $3 AND c.day >= $4 AND c.day <= $5
         GROUP BY c.country
         ORDER BY c.country",
        scope.package_id,
        first,
        last,
        days.first.number(),
        days.last.number(),
    ))
    .await
}
