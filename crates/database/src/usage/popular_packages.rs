//! The packages with the most downloads lately, among those whose numbers everybody may see.

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
        lines::Lines,
        row::row,
        statement::{select, sql},
    },
    usage::recent_downloads::DownloadedPackage,
};

/// Replaces the list. Ignores packages that were deleted meanwhile.
pub async fn replace(tx: &mut Tx, packages: &[DownloadedPackage]) -> Result<()> {
    tx.run(sql!("DELETE FROM popular_packages WHERE downloads >= 0").long()).await?;
    for package in packages {
        tx.run(sql!(
            "INSERT INTO popular_packages (package_id, downloads)
             SELECT p.id, $2 FROM packages p WHERE p.id = $1
             ON CONFLICT (package_id) DO UPDATE SET downloads = excluded.downloads",
            package.package_id,
            package.downloads,
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
                 AND (NOT r.is_private OR ($2 AND r.owner_id > 0)
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
