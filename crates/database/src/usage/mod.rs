//! The usage of repositories by day: downloaded and stored bytes.

pub mod popular_packages;
pub mod recent_downloads;
pub mod statistics;
pub mod usage_thresholds;

use model::{
    day::Days,
    id::RepoId,
    names::PackageName,
    usage::{PackageUsage, UsageScope},
};

use crate::{
    Read, Result, Tx,
    engine::{
        row::row,
        statement::{select, sql},
    },
};

/// Returns the range of ids that the repositories of a scope can have.
fn repo_ids(scope: UsageScope) -> (i64, i64) {
    scope.repo_id.map_or((i64::MIN, i64::MAX), |id| (id.get(), id.get()))
}

row! {
    struct PackageUsageRow => PackageUsage {
        package: String = "p.name",
        storage_bytes: i64 = "CAST(COALESCE(SUM(COALESCE(b.size, 0) + COALESCE(s.size, 0)), 0) AS BIGINT)",
        file_count: i64 = "CAST(COUNT(f.id) AS BIGINT)",
    }
}

row! {
    /// The storage of a repository.
    pub struct RepoUsage {
        /// The id of the repository.
        repo_id: RepoId = "r.id",
        /// The number of bytes it stores now.
        bytes: i64 = "CAST((SELECT COALESCE(SUM(b.bytes), 0) FROM stored_bytes b WHERE b.repo_id = r.id) AS BIGINT)",
        /// The number of bytes when they were last recorded.
        last_bytes: Option<i64> =
            "(SELECT d.bytes FROM storage_days d WHERE d.repo_id = r.id ORDER BY d.day DESC LIMIT 1)",
    }
}

/// The traffic of a repository on a day.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Traffic {
    /// The number of downloads.
    pub count: i64,
    /// The number of bytes.
    pub bytes: i64,
}

/// Adds to the downloads from a repository on a day. Ignores a repository that was deleted meanwhile.
pub async fn add_downloads(tx: &mut Tx, repo_id: RepoId, day: i64, traffic: Traffic) -> Result<()> {
    tx.run(sql!(
        "INSERT INTO download_days (repo_id, day, bytes, count)
         SELECT r.id, $2, $3, $4
         FROM repos r
         WHERE r.id = $1
         ON CONFLICT (repo_id, day) DO UPDATE SET bytes = download_days.bytes + excluded.bytes,
             count = download_days.count + excluded.count",
        repo_id,
        day,
        traffic.bytes,
        traffic.count,
    ))
    .await?;
    Ok(())
}

/// Records the bytes that a repository stores on a day. Ignores a repository that was deleted meanwhile.
pub async fn set_storage(tx: &mut Tx, repo_id: RepoId, day: i64, bytes: i64) -> Result<()> {
    tx.run(sql!(
        "INSERT INTO storage_days (repo_id, day, bytes)
         SELECT r.id, $2, $3
         FROM repos r
         WHERE r.id = $1
         ON CONFLICT (repo_id, day) DO UPDATE SET bytes = excluded.bytes",
        repo_id,
        day,
        bytes,
    ))
    .await?;
    Ok(())
}

/// Returns the bytes that repositories store and the last recorded numbers, by id, after an id.
pub async fn list_storage(db: &dyn Read, after: RepoId, limit: i64) -> Result<Vec<RepoUsage>> {
    db.all(select!(
        RepoUsage,
        "FROM repos r
         WHERE r.id > $1
         ORDER BY r.id
         LIMIT $2",
        after,
        limit,
    ))
    .await
}

/// Returns the downloaded bytes of each day with downloads, in order.
pub async fn list_downloads(db: &dyn Read, scope: UsageScope, days: Days) -> Result<Vec<(i64, i64)>> {
    let (first_id, last_id) = repo_ids(scope);
    db.all(sql!(
        "SELECT d.day, CAST(SUM(d.bytes) AS BIGINT)
         FROM repos r
         JOIN download_days d ON d.repo_id = r.id
         WHERE r.owner_id = $1 AND r.id >= $2 AND r.id <= $3 AND d.day >= $4 AND d.day <= $5
         GROUP BY d.day
         ORDER BY d.day",
        scope.owner_id,
        first_id,
        last_id,
        days.first.number(),
        days.last.number(),
    ))
    .await
}

/// Returns the bytes stored now.
pub async fn find_storage(db: &dyn Read, scope: UsageScope) -> Result<i64> {
    let (first_id, last_id) = repo_ids(scope);
    let bytes = db
        .one(sql!(
            "SELECT CAST(COALESCE(SUM(b.bytes), 0) AS BIGINT)
             FROM repos r
             JOIN stored_bytes b ON b.repo_id = r.id
             WHERE r.owner_id = $1 AND r.id >= $2 AND r.id <= $3",
            scope.owner_id,
            first_id,
            last_id,
        ))
        .await?;
    Ok(bytes.unwrap_or_default())
}

/// Returns the bytes stored at the end of a day.
pub async fn find_storage_on(db: &dyn Read, scope: UsageScope, day: i64) -> Result<i64> {
    let (first_id, last_id) = repo_ids(scope);
    let bytes = db
        .one(sql!(
            "SELECT CAST(COALESCE(SUM(d.bytes), 0) AS BIGINT)
             FROM repos r
             JOIN storage_days d ON d.repo_id = r.id
                 AND d.day = (SELECT MAX(e.day) FROM storage_days e WHERE e.repo_id = r.id AND e.day <= $4)
             WHERE r.owner_id = $1 AND r.id >= $2 AND r.id <= $3",
            scope.owner_id,
            first_id,
            last_id,
            day,
        ))
        .await?;
    Ok(bytes.unwrap_or_default())
}

/// Returns the usage of a repository's packages with names between two, both included.
pub async fn list_packages(db: &dyn Read, repo_id: RepoId, first: &str, last: &str) -> Result<Vec<PackageUsage>> {
    db.all(select!(
        PackageUsageRow,
        "FROM packages p
         LEFT JOIN files f ON f.package_id = p.id
         LEFT JOIN blobs b ON b.id = f.published_blob_id
         LEFT JOIN blobs s ON s.id = f.staged_blob_id
         WHERE p.repo_id = $1 AND p.name >= $2 AND p.name <= $3
         GROUP BY p.name
         ORDER BY p.name",
        repo_id,
        first,
        last,
    ))
    .await
}

/// Returns the usage of one package.
pub async fn find_package(db: &dyn Read, repo_id: RepoId, name: &PackageName) -> Result<Option<PackageUsage>> {
    Ok(list_packages(db, repo_id, name.as_str(), name.as_str()).await?.pop())
}
