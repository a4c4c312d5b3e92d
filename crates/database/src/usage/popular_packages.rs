//! The downloads of packages lately, and the packages with the most, for which everybody may see the numbers.

use model::{
    access::Viewer,
    id::PackageId,
    overview::{PackageFilter, PopularPackage},
    timestamp::Timestamp,
};

use crate::{
    Read, Result, Tx,
    catalogue::releases::{label_pattern, together},
    engine::{
        keys,
        lines::Lines,
        row::row,
        statement::{select, sql},
    },
};

row! {
    /// A package whose downloads to count.
    pub struct Candidate in "p" {
        /// The id of the package.
        id: PackageId,
        /// Whether everybody may see the number.
        is_public: bool = "p.public_download_numbers",
        /// The number that was counted last.
        downloads: i64 = "COALESCE((SELECT d.downloads FROM recent_downloads d WHERE d.package_id = p.id), 0)",
    }
}

/// Returns the next packages after this one, by id.
pub async fn list_candidates(db: &dyn Read, after: PackageId, limit: i64) -> Result<Vec<Candidate>> {
    db.all(select!(Candidate, "FROM packages p WHERE p.id > $1 ORDER BY p.id LIMIT $2", after, limit)).await
}

row! {
    /// A package with the number of its downloads.
    pub struct CountedPackage {
        /// The id of the package.
        package_id: PackageId = "v.package_id",
        /// The number of downloads.
        count: i64 = "CAST(SUM(c.count) AS BIGINT)",
    }
}

/// Counts the downloads of packages since a day.
pub async fn count(db: &dyn Read, package_ids: &[PackageId], first_day: i64) -> Result<Vec<CountedPackage>> {
    let statement = select!(
        CountedPackage,
        "FROM versions v
         JOIN download_counts c ON c.version_id = v.id
         WHERE v.package_id IN ($keys) AND c.day >= $1
         GROUP BY v.package_id",
        first_day,
    );
    keys::all(db, statement, package_ids).await
}

/// Sets the numbers of packages by which lists of repositories are sorted. Ignores packages that were deleted meanwhile.
pub async fn set_downloads(tx: &mut Tx, packages: &[(PackageId, i64)]) -> Result<()> {
    for (id, downloads) in packages {
        if *downloads == 0 {
            tx.run(sql!("DELETE FROM recent_downloads WHERE package_id = $1", *id).long()).await?;
            continue;
        }
        tx.run(sql!(
            "INSERT INTO recent_downloads (package_id, repo_id, downloads)
             SELECT p.id, p.repo_id, $2 FROM packages p WHERE p.id = $1
             ON CONFLICT (package_id) DO UPDATE SET downloads = excluded.downloads",
            *id,
            *downloads,
        ))
        .await?;
    }
    Ok(())
}

/// Replaces the list. Ignores packages that were deleted meanwhile.
pub async fn replace(tx: &mut Tx, packages: &[(PackageId, i64)]) -> Result<()> {
    tx.run(sql!("DELETE FROM popular_packages WHERE downloads >= 0").long()).await?;
    for (id, downloads) in packages {
        tx.run(sql!(
            "INSERT INTO popular_packages (package_id, downloads)
             SELECT p.id, $2 FROM packages p WHERE p.id = $1
             ON CONFLICT (package_id) DO UPDATE SET downloads = excluded.downloads",
            *id,
            *downloads,
        ))
        .await?;
    }
    Ok(())
}

row! {
    struct PopularRow {
        id: PackageId = "p.id", licenses: Lines = "p.licenses", custom_licenses: Lines = "p.custom_licenses",
        owner: String = "s.name", repo: String = "r.name", kind: String = "r.type", is_private: bool = "r.is_private",
        name: String = "p.name", description: String = "p.description",
        labels: Lines = "p.labels",
        latest_version: Option<String> = "(SELECT v.name FROM versions v
            WHERE v.id = p.latest_version_id AND v.published_files > 0)",
        updated: i64 = "p.updated", downloads: i64 = "o.downloads",
    }
}

impl From<PopularRow> for PopularPackage {
    fn from(row: PopularRow) -> Self {
        Self {
            id: row.id,
            licenses: together(row.licenses, row.custom_licenses),
            owner: row.owner,
            repo: row.repo,
            kind: row.kind,
            is_private: row.is_private,
            name: row.name,
            description: row.description,
            labels: row.labels.into(),
            latest_version: row.latest_version,
            updated: Timestamp::from_millis(row.updated),
            downloads: row.downloads,
        }
    }
}

/// Returns those that the viewer may see and the filter allows; the most downloads first.
pub async fn list(db: &dyn Read, reader: Viewer, filter: PackageFilter<'_>, limit: i64) -> Result<Vec<PopularPackage>> {
    let rows: Vec<PopularRow> = db
        .all(select!(
            PopularRow,
            "FROM popular_packages o
             JOIN packages p ON p.id = o.package_id
             JOIN repos r ON r.id = p.repo_id
             JOIN subjects s ON s.id = r.owner_id
             WHERE o.downloads > 0 AND p.public_download_numbers AND ($3 = '' OR r.type = $3)
                 AND ('\n' || p.folded_labels || '\n') LIKE $5 ESCAPE '!'
                 AND (NOT r.is_private OR $2
                     OR EXISTS (SELECT 1 FROM repo_grants g WHERE g.repo_id = r.id AND g.grantee_id = $1))
             ORDER BY o.downloads DESC, o.package_id
             LIMIT $4",
            reader.id,
            reader.sees_everything,
            filter.format,
            limit,
            label_pattern(filter.label),
        ))
        .await?;
    Ok(rows.into_iter().map(PopularPackage::from).collect())
}
