//! The packages of a repository in other orders than by name. Each order has an index, and a page starts after the last
//! package of the page before.

mod downloads;
mod few;
mod linked;

use std::cmp::Reverse;

use model::{
    access::Viewer,
    id::{PackageId, RepoId},
    package_order::{PackageCursor, PackageOrder},
    prefix::NameRange,
};

use crate::{
    Read, Result,
    engine::{row::row, statement::select},
};

/// The packages whose downloads the viewer may see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeenDownloads {
    /// Those of no package.
    None,
    /// Those of packages with public numbers.
    Public,
    /// Those of all packages.
    All,
}

/// A package at its position.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct OrderedPackage {
    /// Its position.
    pub position: PackageCursor,
    /// Its id.
    pub id: PackageId,
    /// Whether it is linked in from another repository.
    pub is_linked: bool,
}

/// The wanted part of a list.
#[derive(Debug, Clone, Copy)]
pub struct OrderedPart<'a> {
    /// The repository.
    pub repo_id: RepoId,
    /// The names to list.
    pub range: &'a NameRange,
    /// The order.
    pub order: PackageOrder,
    /// The position to continue after.
    pub after: Option<&'a PackageCursor>,
    /// The most packages to list.
    pub limit: i64,
}

/// Returns a part of the list: the repository's own packages and the linked ones that the viewer may see.
pub async fn list(
    db: &dyn Read,
    part: OrderedPart<'_>,
    reader: Viewer,
    seen: SeenDownloads,
) -> Result<Vec<OrderedPackage>> {
    let mut found = match (few::list(db, part, seen).await?, part.order) {
        (Some(few), _) => few,
        (None, PackageOrder::Updated) => list_by_update(db, part).await?,
        (None, PackageOrder::License) => list_by_license(db, part).await?,
        (None, PackageOrder::Downloads) => downloads::list(db, part, seen).await?,
    };
    found.extend(linked::list(db, part, reader).await?);
    found.sort();
    found.truncate(usize::try_from(part.limit).unwrap_or_default());
    Ok(found)
}

row! {
    struct UpdatedRow in "u" { package_id: PackageId, updated: i64 }
}

/// Returns the packages after a position: first the others that changed at the same time, of which there may be very many,
/// then those that changed before. SQLite does not use the id in a comparison of pairs.
async fn list_by_update(db: &dyn Read, part: OrderedPart<'_>) -> Result<Vec<OrderedPackage>> {
    let (updated, mut rows) = match part.after {
        Some(PackageCursor::Updated(Reverse((updated, id)))) => {
            (*updated, list_same_update(db, part, *updated, *id).await?)
        }
        _ => (i64::MAX, Vec::new()),
    };
    let missing = part.limit.saturating_sub(i64::try_from(rows.len()).unwrap_or(i64::MAX));
    if missing > 0 {
        rows.extend(list_earlier_updates(db, part, updated, missing).await?);
    }
    let own =
        |row: UpdatedRow| own(PackageCursor::Updated(Reverse((row.updated, row.package_id.get()))), row.package_id);
    Ok(rows.into_iter().map(own).collect())
}

// The names are compared one by one, so that the engines read the packages in their order until there are enough.

async fn list_same_update(db: &dyn Read, part: OrderedPart<'_>, updated: i64, id: i64) -> Result<Vec<UpdatedRow>> {
    db.all(select!(
        UpdatedRow,
        "FROM package_updates u
         WHERE u.repo_id = $1 AND u.updated = $2 AND u.package_id < $3
             AND u.name || '' >= $4 AND u.name || '' < $5
         ORDER BY u.package_id DESC
         LIMIT $6",
        part.repo_id,
        updated,
        id,
        &part.range.from,
        &part.range.to,
        part.limit,
    ))
    .await
}

async fn list_earlier_updates(
    db: &dyn Read,
    part: OrderedPart<'_>,
    updated: i64,
    limit: i64,
) -> Result<Vec<UpdatedRow>> {
    db.all(select!(
        UpdatedRow,
        "FROM package_updates u
         WHERE u.repo_id = $1 AND u.updated < $2
             AND u.name || '' >= $3 AND u.name || '' < $4
         ORDER BY u.updated DESC, u.package_id DESC
         LIMIT $5",
        part.repo_id,
        updated,
        &part.range.from,
        &part.range.to,
        limit,
    ))
    .await
}

row! {
    struct LicensedRow in "p" {
        id: PackageId,
        license: String = "COALESCE(NULLIF(SUBSTR(p.licenses || p.custom_licenses, 1, 60), ''), '~')",
    }
}

/// Returns the packages after a position: first the others with the same licence, then those with later ones. SQLite
/// compares a pair only with columns, and the licence in the index is none.
async fn list_by_license(db: &dyn Read, part: OrderedPart<'_>) -> Result<Vec<OrderedPackage>> {
    let (license, id) = match part.after {
        Some(PackageCursor::License(license, id)) => (license.as_str(), *id),
        _ => ("", 0),
    };
    let mut rows: Vec<LicensedRow> = db
        .all(select!(
            LicensedRow,
            "FROM packages p
             WHERE p.repo_id = $1
                 AND COALESCE(NULLIF(SUBSTR(p.licenses || p.custom_licenses, 1, 60), ''), '~') = $2
                 AND p.id > $3 AND p.name || '' >= $4 AND p.name || '' < $5
             ORDER BY p.id
             LIMIT $6",
            part.repo_id,
            license,
            id,
            &part.range.from,
            &part.range.to,
            part.limit,
        ))
        .await?;
    let missing = part.limit.saturating_sub(i64::try_from(rows.len()).unwrap_or(i64::MAX));
    if missing > 0 {
        rows.extend(list_later_licenses(db, part, license, missing).await?);
    }
    Ok(rows.into_iter().map(|row| own(PackageCursor::License(row.license, row.id.get()), row.id)).collect())
}

async fn list_later_licenses(
    db: &dyn Read,
    part: OrderedPart<'_>,
    license: &str,
    limit: i64,
) -> Result<Vec<LicensedRow>> {
    db.all(select!(
        LicensedRow,
        "FROM packages p
         WHERE p.repo_id = $1
             AND COALESCE(NULLIF(SUBSTR(p.licenses || p.custom_licenses, 1, 60), ''), '~') > $2
             AND p.name || '' >= $3 AND p.name || '' < $4
         ORDER BY COALESCE(NULLIF(SUBSTR(p.licenses || p.custom_licenses, 1, 60), ''), '~'), p.id
         LIMIT $5",
        part.repo_id,
        license,
        &part.range.from,
        &part.range.to,
        limit,
    ))
    .await
}

fn own(position: PackageCursor, id: PackageId) -> OrderedPackage {
    OrderedPackage { position, id, is_linked: false }
}

#[cfg(test)]
mod tests;
