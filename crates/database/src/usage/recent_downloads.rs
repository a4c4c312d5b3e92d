//! The downloads of packages in the last days. Each download is added when it is counted; once a day, a number is
//! counted from scratch, which removes the days that are too long ago.

use model::{
    day::Days,
    id::{PackageId, RepoId},
};

use crate::{
    Read, Result, Tx,
    engine::{
        row::row,
        statement::{select, sql},
    },
};

/// Adds downloads to a package's number. Ignores a package that was deleted meanwhile.
pub async fn add(tx: &mut Tx, package_id: PackageId, repo_id: RepoId, count: i64) -> Result<()> {
    tx.run(sql!(
        "INSERT INTO recent_downloads (package_id, repo_id, downloads)
         SELECT p.id, $2, $3 FROM packages p WHERE p.id = $1
         ON CONFLICT (package_id) DO UPDATE SET downloads = recent_downloads.downloads + excluded.downloads",
        package_id,
        repo_id,
        count,
    ))
    .await?;
    Ok(())
}

row! {
    /// The difference between the downloads of a package and its number.
    pub struct Correction in "d" {
        /// The id of the package.
        package_id: PackageId,
        /// The difference.
        change: i64 = "COALESCE((SELECT CAST(SUM(c.count) AS BIGINT) FROM versions v
            JOIN download_counts c ON c.version_id = v.id
            WHERE v.package_id = d.package_id AND c.day >= $1), 0) - d.downloads",
    }
}

/// Counts the downloads of packages whose number was last counted before today, the last one of the days.
pub async fn list_outdated(db: &dyn Read, days: Days, limit: i64) -> Result<Vec<Correction>> {
    let statement = select!(
        Correction,
        "FROM recent_downloads d
         WHERE d.counted_day < $2
         ORDER BY d.counted_day, d.package_id
         LIMIT $3",
        days.first.number(),
        days.last.number(),
        limit,
    );
    db.all(statement.long()).await
}

/// Corrects a number, unless another node has done it. Downloads that were added since the count stay in it.
pub async fn correct(tx: &mut Tx, correction: &Correction, days: Days) -> Result<()> {
    tx.run(sql!(
        "UPDATE recent_downloads SET downloads = downloads + $2, counted_day = $3
         WHERE package_id = $1 AND counted_day < $3",
        correction.package_id,
        correction.change,
        days.last.number(),
    ))
    .await?;
    tx.run(sql!("DELETE FROM recent_downloads WHERE package_id = $1 AND downloads <= 0", correction.package_id).long())
        .await?;
    Ok(())
}

row! {
    /// A package with its number.
    pub struct DownloadedPackage in "d" {
        /// The id of the package.
        package_id: PackageId,
        /// The number of downloads.
        downloads: i64,
    }
}

/// Returns the packages with the most downloads among those whose numbers everybody may see.
pub async fn list_most(db: &dyn Read, limit: i64) -> Result<Vec<DownloadedPackage>> {
    let statement = select!(
        DownloadedPackage,
        "FROM recent_downloads d
         JOIN packages p ON p.id = d.package_id
         WHERE d.downloads > 0 AND p.public_download_numbers
         ORDER BY d.downloads DESC, d.package_id DESC
         LIMIT $1",
        limit,
    );
    db.all(statement.long()).await
}
