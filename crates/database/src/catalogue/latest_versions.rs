//! The latest version of each package, as far as it is determined.

use std::collections::HashMap;

use model::{
    id::{PackageId, VersionId},
    timestamp::Timestamp,
    version::Version,
};

use crate::{
    Read, Result, Tx,
    catalogue::versions::VersionRow,
    engine::{
        keys,
        statement::{select, sql},
    },
};

/// Returns the latest version with a published file, if it is determined.
pub async fn find(db: &dyn Read, package_id: PackageId) -> Result<Option<Version>> {
    let row: Option<VersionRow> = db
        .one(
            select!(
                VersionRow,
                "FROM packages p JOIN versions v ON v.id = p.latest_version_id
                 WHERE p.id = $1 AND v.package_id = p.id AND v.published_files > 0",
                package_id,
            )
            .looking_up(),
        )
        .await?;
    row.map(Version::try_from).transpose()
}

/// Returns the latest version of each package for which it is determined. It may have lost its published files.
pub async fn list_of_packages(db: &dyn Read, package_ids: &[PackageId]) -> Result<HashMap<PackageId, VersionId>> {
    let statement =
        sql!("SELECT id, latest_version_id FROM packages WHERE id IN ($keys) AND latest_version_id IS NOT NULL");
    let rows: Vec<(PackageId, VersionId)> = keys::all(db, statement.looking_up(), package_ids).await?;
    Ok(rows.into_iter().collect())
}

/// Returns the name of the latest version with a published file of each package for which it is determined.
pub async fn list_names(db: &dyn Read, package_ids: &[PackageId]) -> Result<HashMap<PackageId, String>> {
    let statement = sql!(
        "SELECT p.id, v.name FROM packages p JOIN versions v ON v.id = p.latest_version_id
         WHERE p.id IN ($keys) AND v.package_id = p.id AND v.published_files > 0",
    );
    let rows: Vec<(PackageId, String)> = keys::all(db, statement.looking_up(), package_ids).await?;
    Ok(rows.into_iter().collect())
}

/// Sets the latest version; `None` means that no version has a published file.
pub async fn set(tx: &mut Tx, package_id: PackageId, version_id: Option<VersionId>) -> Result<()> {
    let version_id = version_id.map(VersionId::get);
    tx.run(sql!("UPDATE packages SET latest_version_id = $2 WHERE id = $1", package_id, version_id)).await?;
    Ok(())
}

/// Makes a version the latest one, and records that something in the package changed.
pub async fn replace(tx: &mut Tx, package_id: PackageId, version_id: VersionId, now: Timestamp) -> Result<()> {
    let changed =
        sql!("UPDATE packages SET latest_version_id = $2, updated = $3 WHERE id = $1", package_id, version_id, now);
    tx.run(changed).await?;
    Ok(())
}
