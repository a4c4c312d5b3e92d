//! Custom licences of subjects, and the packages that use them.

use model::{
    id::{PackageId, SubjectId},
    license::CustomLicense,
    names::LicenseName,
};

use crate::{
    Read, Result, Tx,
    engine::{
        row::row,
        statement::{insert, select, sql},
    },
};

row! {
    struct CustomLicenseRow => CustomLicense {
        name: String, description: String, url: String,
    }
}

/// Returns the licences of a subject, by name.
pub async fn list(db: &dyn Read, owner_id: SubjectId) -> Result<Vec<CustomLicense>> {
    db.all(select!(CustomLicenseRow, "FROM custom_licenses WHERE owner_id = $1 ORDER BY name", owner_id)).await
}

/// Returns the licence with this name, if the subject has it.
pub async fn find(db: &dyn Read, owner_id: SubjectId, name: &LicenseName) -> Result<Option<CustomLicense>> {
    let named = |name: &LicenseName| {
        select!(CustomLicenseRow, "FROM custom_licenses WHERE owner_id = $1 AND name = $2", owner_id, name)
    };
    match (db.one(named(name)).await?, name.other_form()) {
        (None, Some(other)) => db.one(named(&other)).await,
        (found, _) => Ok(found),
    }
}

/// Adds a licence.
pub async fn insert(tx: &mut Tx, owner_id: SubjectId, license: &CustomLicense) -> Result<()> {
    tx.run(insert!(custom_licenses {
        owner_id,
        name: &license.name,
        description: &license.description,
        url: &license.url,
    }))
    .await?;
    Ok(())
}

/// Updates all fields except the name.
pub async fn update(tx: &mut Tx, owner_id: SubjectId, license: &CustomLicense) -> Result<()> {
    tx.run(sql!(
        "UPDATE custom_licenses SET description = $3, url = $4 WHERE owner_id = $1 AND name = $2",
        owner_id,
        &license.name,
        &license.description,
        &license.url,
    ))
    .await?;
    Ok(())
}

/// Deletes a licence; returns false if it does not exist. Fails if a package uses it.
pub async fn delete(tx: &mut Tx, owner_id: SubjectId, name: &LicenseName) -> Result<bool> {
    let mut removed = 0;
    for name in [Some(name.clone()), name.other_form()].into_iter().flatten() {
        if removed == 0 {
            removed = tx
                .run(sql!("DELETE FROM custom_licenses WHERE owner_id = $1 AND name = $2", owner_id, &name).long())
                .await?;
        }
    }
    Ok(removed == 1)
}

/// Records that a package uses a licence of its owner. Fails with a missing row if the licence does not exist.
pub async fn insert_use(tx: &mut Tx, owner_id: SubjectId, license: &LicenseName, package_id: PackageId) -> Result<()> {
    tx.run(insert!(
        custom_license_uses { owner_id, license, package_id },
        "ON CONFLICT (owner_id, license, package_id) DO NOTHING",
    ))
    .await?;
    Ok(())
}

/// Deletes the records of the licences that a package uses.
pub async fn delete_uses(tx: &mut Tx, package_id: PackageId) -> Result<()> {
    tx.run(sql!("DELETE FROM custom_license_uses WHERE package_id = $1", package_id).long()).await?;
    Ok(())
}
