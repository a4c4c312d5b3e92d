//! Linked packages in the order of a list.

use std::cmp::Reverse;

use model::{
    access::Viewer,
    id::PackageId,
    package_order::{PackageCursor, PackageOrder},
};

use super::{OrderedPackage, OrderedPart};
use crate::{
    Read, Result,
    engine::{row::row, statement::select},
};

row! {
    struct LinkedRow in "p" {
        id: PackageId, updated: i64, name: String = "l.package_name",
        license: String = "COALESCE(NULLIF(SUBSTR(p.licenses || p.custom_licenses, 1, 60), ''), '~')",
    }
}

/// Returns the linked packages after the position. Links are created by hand, so their number is small. Lists show no
/// downloads of linked packages.
pub(super) async fn list(db: &dyn Read, part: OrderedPart<'_>, reader: Viewer) -> Result<Vec<OrderedPackage>> {
    let rows: Vec<LinkedRow> = db
        .all(select!(
            LinkedRow,
            "FROM links l
             JOIN packages p ON p.id = l.package_id
             JOIN repos r ON r.id = p.repo_id
             WHERE l.repo_id = $1 AND l.package_name >= $2 AND l.package_name < $3
                 AND (NOT r.is_private OR ($5 AND r.owner_id > 0)
                     OR EXISTS (SELECT 1 FROM repo_grants g WHERE g.repo_id = r.id AND g.grantee_id = $4))",
            part.repo_id,
            &part.range.from,
            &part.range.to,
            reader.id,
            reader.sees_everything,
        ))
        .await?;
    let position = |row: LinkedRow| match part.order {
        PackageOrder::Updated => PackageCursor::Updated(Reverse((row.updated, row.id.get()))),
        PackageOrder::License => PackageCursor::License(row.license, row.id.get()),
        PackageOrder::Downloads => PackageCursor::Name(row.name),
    };
    let linked = rows.into_iter().map(|row| (row.id, position(row)));
    let linked = linked.filter(|(_, position)| part.after.is_none_or(|after| after < position));
    Ok(linked.map(|(id, position)| OrderedPackage { position, id, is_linked: true }).collect())
}
