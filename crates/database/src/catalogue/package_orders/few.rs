//! The packages with a rare prefix: all of them are read by name, and then sorted. In the order of the list, the engines
//! would read very many others.

use std::cmp::Reverse;

use model::{
    id::PackageId,
    package_order::{PackageCursor, PackageOrder},
};

use super::{OrderedPackage, OrderedPart, SeenDownloads, own};
use crate::{
    Read, Result,
    catalogue::package_list,
    engine::{row::row, statement::select},
};

/// A prefix is rare if at most this many names begin with it.
pub(super) const FEW_NAMES: u64 = 1_000;

row! {
    struct RareNameRow in "p" {
        id: PackageId, name: String, updated: i64,
        license: String = "COALESCE(NULLIF(SUBSTR(p.licenses || p.custom_licenses, 1, 60), ''), '~')",
        downloads: Option<i64> = "CASE WHEN $4 OR ($5 AND p.public_download_numbers) THEN d.downloads END",
    }
}

/// Returns the packages after the position; `None` if more names than a few begin with the prefix.
pub(super) async fn list(
    db: &dyn Read,
    part: OrderedPart<'_>,
    seen: SeenDownloads,
) -> Result<Option<Vec<OrderedPackage>>> {
    let is_rare = !part.range.from.is_empty()
        && package_list::count_near(db, part.repo_id, part.range, FEW_NAMES + 1).await? <= FEW_NAMES.cast_signed();
    if !is_rare {
        return Ok(None);
    }
    let rows: Vec<RareNameRow> = db
        .all(select!(
            RareNameRow,
            "FROM packages p LEFT JOIN recent_downloads d ON d.package_id = p.id
             WHERE p.repo_id = $1 AND p.name >= $2 AND p.name < $3",
            part.repo_id,
            &part.range.from,
            &part.range.to,
            seen == SeenDownloads::All,
            seen == SeenDownloads::Public,
        ))
        .await?;
    let found = rows.into_iter().map(|row| (row.id, row.position(part.order)));
    let found = found.filter(|(_, position)| part.after.is_none_or(|after| after < position));
    Ok(Some(found.map(|(id, position)| own(position, id)).collect()))
}

impl RareNameRow {
    fn position(self, order: PackageOrder) -> PackageCursor {
        match (order, self.downloads) {
            (PackageOrder::Updated, _) => PackageCursor::Updated(Reverse((self.updated, self.id.get()))),
            (PackageOrder::License, _) => PackageCursor::License(self.license, self.id.get()),
            (PackageOrder::Downloads, Some(downloads)) => PackageCursor::Downloads(Reverse((downloads, self.id.get()))),
            (PackageOrder::Downloads, None) => PackageCursor::Name(self.name),
        }
    }
}
