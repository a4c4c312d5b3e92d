//! The newest releases of the server, of repositories and of a package.

use model::{
    access::Viewer,
    id::{PackageId, RepoId, VersionId},
    overview::{PackageFilter, ReleaseOverview},
    text::fold,
    timestamp::Timestamp,
};

use crate::{
    Read, Result,
    engine::{keys, lines::Lines, row::row, statement::select},
};

row! {
    struct ReleaseRow {
        id: VersionId = "v.id", licenses: Lines = "p.licenses", custom_licenses: Lines = "p.custom_licenses",
        repo_id: RepoId = "r.id", owner: String = "s.name", repo: String = "r.name", kind: String = "r.type",
        is_private: bool = "r.is_private", package: String = "p.name", description: String = "p.description",
        labels: Lines = "p.labels",
        version: String = "v.name", published: i64 = "v.first_published",
        downloads: Option<i64> = "CASE WHEN p.public_download_numbers
            THEN (SELECT d.downloads FROM recent_downloads d WHERE d.package_id = p.id) END",
    }
}

impl From<ReleaseRow> for ReleaseOverview {
    fn from(row: ReleaseRow) -> Self {
        Self {
            id: row.id,
            licenses: together(row.licenses, row.custom_licenses),
            repo_id: row.repo_id,
            owner: row.owner,
            repo: row.repo,
            kind: row.kind,
            is_private: row.is_private,
            package: row.package,
            description: row.description,
            labels: row.labels.into(),
            version: row.version,
            published: Timestamp::from_millis(row.published),
            downloads: row.downloads,
        }
    }
}

/// The licences of a package, with the custom ones last.
pub(crate) fn together(licenses: Lines, custom: Lines) -> Vec<String> {
    let (licenses, custom): (Vec<String>, Vec<String>) = (licenses.into(), custom.into());
    licenses.into_iter().chain(custom).collect()
}

/// The releases to look for.
#[derive(Debug, Clone, Copy)]
pub struct ReleaseWindow<'f> {
    /// The first id of versions.
    pub from: VersionId,
    /// The number of the newest versions to look at: the bound of the work.
    pub recent: i64,
    /// Only releases of these packages.
    pub packages: PackageFilter<'f>,
    /// The most releases.
    pub limit: i64,
}

/// Returns the newest releases that the viewer may see, among the newest versions.
pub async fn list(db: &dyn Read, window: ReleaseWindow<'_>, reader: Viewer) -> Result<Vec<ReleaseOverview>> {
    let rows: Vec<ReleaseRow> = db
        .all(select!(
            ReleaseRow,
            "FROM (SELECT id, package_id, name, first_published, published_files
                   FROM versions WHERE id >= $1 ORDER BY id DESC LIMIT $2) v
             JOIN packages p ON p.id = v.package_id
             JOIN repos r ON r.id = p.repo_id
             JOIN subjects s ON s.id = r.owner_id
             WHERE v.first_published IS NOT NULL AND v.published_files > 0 AND ($6 = '' OR r.type = $6)
                 AND ('\n' || p.folded_labels || '\n') LIKE $7 ESCAPE '!'
                 AND (NOT r.is_private OR ($4 AND r.owner_id > 0)
                     OR EXISTS (SELECT 1 FROM repo_grants g WHERE g.repo_id = r.id AND g.grantee_id = $3))
             ORDER BY v.first_published DESC, v.id DESC
             LIMIT $5",
            window.from,
            window.recent,
            reader.id,
            reader.sees_everything,
            window.limit,
            window.packages.format,
            label_pattern(window.packages.label),
        ))
        .await?;
    Ok(rows.into_iter().map(ReleaseOverview::from).collect())
}

/// Returns the pattern that the folded labels of a package match if this is one of them. No label matches all packages.
pub(crate) fn label_pattern(label: &str) -> String {
    if label.is_empty() {
        return "%".to_owned();
    }
    let label = fold(label).replace('!', "!!").replace('%', "!%").replace('_', "!_");
    format!("%\n{label}\n%")
}

/// Returns the newest releases of repositories since a time. It looks at all their packages.
pub async fn list_of_repos(
    db: &dyn Read,
    repo_ids: &[RepoId],
    since: Timestamp,
    limit: i64,
) -> Result<Vec<ReleaseOverview>> {
    let statement = select!(
        ReleaseRow,
        "FROM packages p
         JOIN versions v ON v.package_id = p.id AND v.first_published >= $1
         JOIN repos r ON r.id = p.repo_id
         JOIN subjects s ON s.id = r.owner_id
         WHERE p.repo_id IN ($keys) AND v.published_files > 0
         ORDER BY v.first_published DESC, v.id DESC
         LIMIT $2",
        since,
        limit,
    );
    let rows: Vec<ReleaseRow> = keys::all(db, statement, repo_ids).await?;
    Ok(rows.into_iter().map(ReleaseOverview::from).collect())
}

/// Returns the newest releases of a package.
pub async fn list_of_package(db: &dyn Read, package_id: PackageId, limit: i64) -> Result<Vec<ReleaseOverview>> {
    let rows: Vec<ReleaseRow> = db
        .all(select!(
            ReleaseRow,
            "FROM versions v
             JOIN packages p ON p.id = v.package_id
             JOIN repos r ON r.id = p.repo_id
             JOIN subjects s ON s.id = r.owner_id
             WHERE v.package_id = $1 AND v.first_published IS NOT NULL AND v.published_files > 0
             ORDER BY v.first_published DESC, v.id DESC
             LIMIT $2",
            package_id,
            limit,
        ))
        .await?;
    Ok(rows.into_iter().map(ReleaseOverview::from).collect())
}
