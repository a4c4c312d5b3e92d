//! Licences that subjects have written themselves, and the packages that name them.

use model::names::LicenseName;

use crate::{
    Read, Result, Tx,
    engine::{
        row::row,
        statement::{insert, select, sql},
    },
};

row! {
    /// A licence of a subject's own.
    pub struct CustomLicense {
        /// Its name.
        name: String,
        /// What it says, in short.
        description: String,
        /// Where its text is.
        url: String,
    }
}

/// The licences of a subject, by name.
pub async fn list(db: &impl Read, owner_id: i64) -> Result<Vec<CustomLicense>> {
    db.all(select!(CustomLicense, "FROM custom_licenses WHERE owner_id = $1 ORDER BY name", owner_id)).await
}

/// The licence of this name, if the subject has it.
pub async fn find(db: &impl Read, owner_id: i64, name: &LicenseName) -> Result<Option<CustomLicense>> {
    let named = |name: &LicenseName| {
        select!(CustomLicense, "FROM custom_licenses WHERE owner_id = $1 AND name = $2", owner_id, name)
    };
    match (db.one(named(name)).await?, name.other_form()) {
        (None, Some(other)) => db.one(named(&other)).await,
        (found, _) => Ok(found),
    }
}

/// Adds a licence.
pub async fn insert(tx: &mut Tx, owner_id: i64, license: &CustomLicense) -> Result<()> {
    tx.run(insert!(custom_licenses {
        owner_id,
        name: &license.name,
        description: &license.description,
        url: &license.url,
    }))
    .await?;
    Ok(())
}

/// Changes all but the name.
pub async fn update(tx: &mut Tx, owner_id: i64, license: &CustomLicense) -> Result<()> {
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

/// Removes a licence; false when there is none. One that a package names is still pointed to.
pub async fn delete(tx: &mut Tx, owner_id: i64, name: &LicenseName) -> Result<bool> {
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

/// Notes that a package names a licence of its owner. Without that licence, there is nothing to point to.
pub async fn insert_use(tx: &mut Tx, owner_id: i64, license: &LicenseName, package_id: i64) -> Result<()> {
    tx.run(insert!(
        custom_license_uses { owner_id, license, package_id },
        "ON CONFLICT (owner_id, license, package_id) DO NOTHING",
    ))
    .await?;
    Ok(())
}

/// Forgets which licences a package names.
pub async fn delete_uses(tx: &mut Tx, package_id: i64) -> Result<()> {
    tx.run(sql!("DELETE FROM custom_license_uses WHERE package_id = $1", package_id).long()).await?;
    Ok(())
}
