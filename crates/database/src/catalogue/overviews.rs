//! What lists show of repositories, packages and versions: one statement for a whole page.

use model::{
    access::Viewer,
    id::{PackageId, RepoId, SubjectId, VersionId},
    overview::{PackageOverview, RepoOverview, VersionOverview},
    page::PageRequest,
    timestamp::Timestamp,
};

use crate::{
    Read, Result,
    catalogue::releases::together,
    engine::{keys, lines::Lines, row::row, statement::select},
};

row! {
    struct RepoOverviewRow in "r" => RepoOverview {
        id: RepoId, owner: String = "s.name", name: String, kind: String = "r.type", is_private: bool,
        description: String, package_count: i64,
    }
}

/// Returns the repositories that a subject may write to and that the viewer may see, by owner and name.
pub async fn list_repos(db: &dyn Read, subject_id: SubjectId, reader: Viewer) -> Result<Vec<RepoOverview>> {
    db.all(select!(
        RepoOverviewRow,
        "FROM repos r
         JOIN subjects s ON s.id = r.owner_id
         WHERE r.id IN (SELECT w.repo_id FROM repo_grants w WHERE w.grantee_id = $1 AND w.granted >= 2)
             AND (NOT r.is_private OR ($3 AND r.owner_id > 0)
                 OR EXISTS (SELECT 1 FROM repo_grants g WHERE g.repo_id = r.id AND g.grantee_id = $2))
         ORDER BY s.name, r.name",
        subject_id,
        reader.id,
        reader.sees_everything,
    ))
    .await
}

row! {
    struct PackageOverviewRow in "p" {
        id: PackageId, description: String, licenses: Lines, custom_licenses: Lines, updated: i64,
        public_download_numbers: bool,
        // Packages that nothing was published in since the last upgrade may have no latest version yet.
        latest_version: Option<String> = "COALESCE(
            (SELECT v.name FROM versions v WHERE v.id = p.latest_version_id AND v.published_files > 0),
            (SELECT v.name FROM versions v
            WHERE v.package_id = p.id AND v.published_files > 0 ORDER BY v.ordinal DESC LIMIT 1))",
    }
}

row! {
    struct OwnPackageRow in "p" { name: String, ..about: PackageOverviewRow }
}

row! {
    struct LinkedPackageRow in "l" { name: String = "l.package_name", ..about: PackageOverviewRow }
}

fn package(name: String, row: PackageOverviewRow, is_linked: bool) -> PackageOverview {
    PackageOverview {
        id: row.id,
        name,
        description: row.description,
        licenses: together(row.licenses, row.custom_licenses),
        updated: Timestamp::from_millis(row.updated),
        has_public_numbers: row.public_download_numbers,
        latest_version: row.latest_version,
        is_linked,
    }
}

/// Returns the packages of a repository from one name to another, its own and then the linked ones. They are those of
/// one page.
pub async fn list_packages(db: &dyn Read, repo_id: RepoId, first: &str, last: &str) -> Result<Vec<PackageOverview>> {
    let own: Vec<OwnPackageRow> = db
        .all(select!(
            OwnPackageRow,
            "FROM packages p WHERE p.repo_id = $1 AND p.name >= $2 AND p.name <= $3",
            repo_id,
            first,
            last,
        ))
        .await?;
    let linked: Vec<LinkedPackageRow> = db
        .all(select!(
            LinkedPackageRow,
            "FROM links l
             JOIN packages p ON p.id = l.package_id
             WHERE l.repo_id = $1 AND l.package_name >= $2 AND l.package_name <= $3",
            repo_id,
            first,
            last,
        ))
        .await?;
    let own = own.into_iter().map(|row| package(row.name, row.about, false));
    Ok(own.chain(linked.into_iter().map(|row| package(row.name, row.about, true))).collect())
}

/// Returns these packages of a repository, and these that are linked into it.
pub async fn list_of_packages(
    db: &dyn Read,
    repo_id: RepoId,
    own: &[PackageId],
    linked: &[PackageId],
) -> Result<Vec<PackageOverview>> {
    let own: Vec<OwnPackageRow> =
        keys::all(db, select!(OwnPackageRow, "FROM packages p WHERE p.id IN ($keys)"), own).await?;
    let statement = select!(
        LinkedPackageRow,
        "FROM links l
         JOIN packages p ON p.id = l.package_id
         WHERE l.repo_id = $1 AND l.package_id IN ($keys)",
        repo_id,
    );
    let linked: Vec<LinkedPackageRow> = keys::all(db, statement, linked).await?;
    let own = own.into_iter().map(|row| package(row.name, row.about, false));
    Ok(own.chain(linked.into_iter().map(|row| package(row.name, row.about, true))).collect())
}

row! {
    struct VersionOverviewRow in "v" {
        id: VersionId, name: String, created: i64, released: Option<i64>, first_published: Option<i64>,
        published_files: i64,
        bytes: i64 = "(SELECT CAST(COALESCE(SUM(b.size), 0) AS BIGINT) FROM files f
            JOIN blobs b ON b.id = f.published_blob_id WHERE f.version_id = v.id)",
        // Of a version that was never published: a draft, if it has any.
        staged_files: i64 = "CASE WHEN v.first_published IS NULL THEN (SELECT CAST(COUNT(*) AS BIGINT) FROM files f
            WHERE f.version_id = v.id AND f.staged_blob_id IS NOT NULL) ELSE 0 END",
        staged_bytes: i64 = "CASE WHEN v.first_published IS NULL THEN
            (SELECT CAST(COALESCE(SUM(b.size), 0) AS BIGINT) FROM files f
            JOIN blobs b ON b.id = f.staged_blob_id WHERE f.version_id = v.id) ELSE 0 END",
        signatures: i64 = "(SELECT CAST(COUNT(*) AS BIGINT) FROM files f
            WHERE f.version_id = v.id AND f.published_blob_id IS NOT NULL AND f.path LIKE '%.asc')",
        is_yanked: bool = "EXISTS (SELECT 1 FROM marks m WHERE m.version_id = v.id AND m.name = 'yanked')",
    }
}

impl VersionOverviewRow {
    /// The number of its published files without their signatures, which pages show next to them. A version that has
    /// nothing else has its signatures.
    fn files_to_show(&self) -> i64 {
        match self.published_files - self.signatures {
            0 => self.published_files,
            others => others,
        }
    }
}

impl From<VersionOverviewRow> for VersionOverview {
    fn from(row: VersionOverviewRow) -> Self {
        let is_draft = row.staged_files > 0;
        let files = if is_draft { row.staged_files } else { row.files_to_show() };
        Self {
            id: row.id,
            name: row.name,
            created: Timestamp::from_millis(row.created),
            released: row.first_published.map(|first| Timestamp::from_millis(row.released.unwrap_or(first))),
            files,
            bytes: if is_draft { row.staged_bytes } else { row.bytes },
            is_draft,
            is_signed: row.signatures > 0,
            is_yanked: row.is_yanked,
        }
    }
}

/// Returns a page of the versions of a package, newest first; drafts only for callers who may see them.
pub async fn list_versions(
    db: &dyn Read,
    package_id: PackageId,
    with_drafts: bool,
    window: PageRequest,
) -> Result<Vec<VersionOverview>> {
    let rows: Vec<VersionOverviewRow> = db
        .all(select!(
            VersionOverviewRow,
            "FROM versions v
             WHERE v.package_id = $1
                 AND ($2 OR v.first_published IS NOT NULL OR NOT EXISTS (SELECT 1 FROM files f
                     WHERE f.version_id = v.id AND f.staged_blob_id IS NOT NULL))
             ORDER BY v.ordinal DESC
             LIMIT $3 OFFSET $4",
            package_id,
            with_drafts,
            window.limit,
            window.start,
        ))
        .await?;
    Ok(rows.into_iter().map(VersionOverview::from).collect())
}

/// Returns these versions.
pub async fn list_of_versions(db: &dyn Read, ids: &[VersionId]) -> Result<Vec<VersionOverview>> {
    let rows: Vec<VersionOverviewRow> =
        keys::all(db, select!(VersionOverviewRow, "FROM versions v WHERE v.id IN ($keys)"), ids).await?;
    Ok(rows.into_iter().map(VersionOverview::from).collect())
}

row! {
    struct LatestRow in "v" { package_id: PackageId, ..about: VersionOverviewRow }
}

/// Returns the latest version of each of these packages that has one.
pub async fn list_latest(db: &dyn Read, package_ids: &[PackageId]) -> Result<Vec<(PackageId, VersionOverview)>> {
    let statement = select!(
        LatestRow,
        "FROM packages p
         JOIN versions v ON v.id = p.latest_version_id
         WHERE p.id IN ($keys) AND v.published_files > 0",
    );
    let rows: Vec<LatestRow> = keys::all(db, statement, package_ids).await?;
    Ok(rows.into_iter().map(|row| (row.package_id, VersionOverview::from(row.about))).collect())
}

row! {
    /// The downloads of a package on a day.
    pub struct DownloadDay {
        /// The id of the package.
        package_id: PackageId = "v.package_id",
        /// The day, as a number of days since the start of 1970.
        day: i64 = "c.day",
        /// The number of downloads.
        count: i64 = "CAST(SUM(c.count) AS BIGINT)",
    }
}

/// Returns the downloads of packages by day.
pub async fn list_downloads(
    db: &dyn Read,
    package_ids: &[PackageId],
    first_day: i64,
    last_day: i64,
) -> Result<Vec<DownloadDay>> {
    let statement = select!(
        DownloadDay,
        "FROM versions v
         JOIN download_counts c ON c.version_id = v.id
         WHERE v.package_id IN ($keys) AND c.day >= $1 AND c.day <= $2
         GROUP BY v.package_id, c.day",
        first_day,
        last_day,
    );
    keys::all(db, statement, package_ids).await
}
