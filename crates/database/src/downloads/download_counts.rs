//! The packages that downloads count for, and lines of their logs.

use std::collections::HashMap;

use model::{
    day::Day,
    id::{PackageId, RepoId, SubjectId},
    timestamp::Timestamp,
};

use crate::{
    Read, Result, Tx,
    engine::{
        keys,
        row::row,
        statement::{select, sql},
    },
};

row! {
    /// A package, with its repository and owner.
    pub struct CountedPackage in "p" {
        /// The id of the package.
        package_id: PackageId = "p.id",
        /// The id of its repository.
        repo_id: RepoId,
        /// The id of the repository's owner.
        owner_id: SubjectId = "r.owner_id",
    }
}

/// Returns the repositories and owners of packages; deleted packages are left out.
pub async fn list_places(db: &dyn Read, package_ids: &[PackageId]) -> Result<HashMap<PackageId, CountedPackage>> {
    let statement = select!(
        CountedPackage,
        "FROM packages p
         JOIN repos r ON r.id = p.repo_id
         WHERE p.id IN ($keys)
         ORDER BY p.id",
    );
    let places = keys::all::<CountedPackage>(db, statement, package_ids).await?;
    Ok(places.into_iter().map(|place| (place.package_id, place)).collect())
}

/// Adds the lines of a second to a package's log. Ignores a package that was deleted meanwhile.
pub async fn add_lines(tx: &mut Tx, id: i64, package_id: PackageId, second: i64, lines: &str) -> Result<()> {
    tx.run(sql!(
        "INSERT INTO download_lines (id, package_id, day, second, lines)
         SELECT $1, p.id, $3, $4, $5
         FROM packages p
         WHERE p.id = $2",
        id,
        package_id,
        Day::of(Timestamp::from_millis(second.saturating_mul(1_000))).number(),
        second,
        lines,
    ))
    .await?;
    Ok(())
}
