//! Downloads of versions: counts by day and country, and lines of a log.

use std::collections::HashMap;

use model::{day::Day, timestamp::Timestamp};

use crate::{
    Read, Result, Tx,
    engine::{
        keys,
        row::row,
        statement::{select, sql},
    },
};

/// Downloads of a version on a day from a country.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DownloadCount {
    /// The id of the version.
    pub version_id: i64,
    /// The day, as a number of days since the start of 1970.
    pub day: i64,
    /// The two-letter code of the country.
    pub country: String,
    /// The number of downloads.
    pub count: i64,
    /// The number of bytes sent.
    pub bytes: i64,
}

row! {
    /// A package, with its repository and owner.
    pub struct CountedPackage in "p" {
        /// The id of the package.
        package_id: i64 = "p.id",
        /// The id of its repository.
        repo_id: i64,
        /// The id of the repository's owner.
        owner_id: i64 = "r.owner_id",
    }
}

/// Returns the repositories and owners of packages; deleted packages are left out.
pub async fn list_places(db: &impl Read, package_ids: &[i64]) -> Result<HashMap<i64, CountedPackage>> {
    let statement = select!(
        CountedPackage,
        "FROM packages p
         JOIN repos r ON r.id = p.repo_id
         WHERE p.id IN ($keys)
         ORDER BY p.id",
    );
    let places = keys::all::<CountedPackage>(db, statement, package_ids).await?;
    Ok(places.into_iter().map(|place| (place.package_id, place)).collect())
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

/// Adds the lines of a second to a package's log. Ignores a package that was deleted meanwhile.
pub async fn add_lines(tx: &mut Tx, id: i64, package_id: i64, second: i64, lines: &str) -> Result<()> {
    tx.run(sql!(
        "INSERT INTO download_lines (id, package_id, day, second, lines)
         SELECT $1, p.id, $3, $4, $5
         FROM packages p
         WHERE p.id = $2",
        id,
        package_id,
        Day::of(Timestamp::from_millis(second.saturating_mul(1_000))).number(),
        second,
        lines,
    ))
    .await?;
    Ok(())
}
