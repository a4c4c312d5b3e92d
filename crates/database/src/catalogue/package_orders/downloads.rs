//! The packages of a repository by their downloads in thirty days, which a job counts.

use std::cmp::Reverse;

use model::{id::PackageId, package_order::PackageCursor};

use super::{OrderedPackage, OrderedPart, SeenDownloads, own};
use crate::{
    Read, Result,
    engine::{row::row, statement::select},
};

/// Returns the packages with downloads that the viewer may see, and then the others.
pub(super) async fn list(db: &dyn Read, part: OrderedPart<'_>, seen: SeenDownloads) -> Result<Vec<OrderedPackage>> {
    let mut found = list_downloaded(db, part, seen).await?;
    if (found.len() as u64) < part.limit.unsigned_abs() {
        found.extend(list_others(db, part, seen).await?);
    }
    Ok(found)
}

row! {
    struct DownloadedRow in "d" { id: PackageId = "d.package_id", downloads: i64 }
}

async fn list_downloaded(db: &dyn Read, part: OrderedPart<'_>, seen: SeenDownloads) -> Result<Vec<OrderedPackage>> {
    let (downloads, id) = match part.after {
        Some(PackageCursor::Downloads(Reverse(position))) => *position,
        Some(PackageCursor::Name(_)) => return Ok(Vec::new()),
        _ => (i64::MAX, i64::MAX),
    };
    if seen == SeenDownloads::None {
        return Ok(Vec::new());
    }
    let rows: Vec<DownloadedRow> = db
        .all(select!(
            DownloadedRow,
            "FROM recent_downloads d
             JOIN packages p ON p.id = d.package_id
             WHERE d.repo_id = $1 AND (d.downloads, d.package_id) < ($2, $3) AND ($4 OR p.public_download_numbers)
                 AND p.name || '' >= $5 AND p.name || '' < $6
             ORDER BY d.downloads DESC, d.package_id DESC
             LIMIT $7",
            part.repo_id,
            downloads,
            id,
            seen == SeenDownloads::All,
            &part.range.from,
            &part.range.to,
            part.limit,
        ))
        .await?;
    let own = |row: DownloadedRow| own(PackageCursor::Downloads(Reverse((row.downloads, row.id.get()))), row.id);
    Ok(rows.into_iter().map(own).collect())
}

row! {
    struct NamedRow in "p" { id: PackageId, name: String }
}

/// Returns the packages that have no downloads, as far as the viewer may know.
async fn list_others(db: &dyn Read, part: OrderedPart<'_>, seen: SeenDownloads) -> Result<Vec<OrderedPackage>> {
    let first = match part.after {
        // No name has a control character, so this is the next possible name.
        Some(PackageCursor::Name(name)) => format!("{name}\u{1}").max(part.range.from.clone()),
        _ => part.range.from.clone(),
    };
    let rows: Vec<NamedRow> = db
        .all(select!(
            NamedRow,
            "FROM packages p
             WHERE p.repo_id = $1 AND p.name >= $2 AND p.name < $3
                 AND NOT (($4 OR ($5 AND p.public_download_numbers))
                     AND EXISTS (SELECT 1 FROM recent_downloads d WHERE d.package_id = p.id))
             ORDER BY p.name
             LIMIT $6",
            part.repo_id,
            first,
            &part.range.to,
            seen == SeenDownloads::All,
            seen == SeenDownloads::Public,
            part.limit,
        ))
        .await?;
    Ok(rows.into_iter().map(|row| own(PackageCursor::Name(row.name), row.id)).collect())
}
