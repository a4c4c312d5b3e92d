//! Assigns EULAs to the versions of a product's packages.

use std::collections::HashMap;

use model::{eula::Eula, id::VersionId, names::VersionName};

use crate::{
    Read, Result, Tx,
    access::{eulas::EulaRow, product_packages},
    engine::{
        keys,
        row::row,
        statement::{insert, select, sql},
    },
};

/// Returns the versions that each EULA names, in alphabetical order.
pub async fn list(db: &dyn Read, ids: &[i64]) -> Result<HashMap<i64, Vec<String>>> {
    let statement =
        sql!("SELECT eula_id, version FROM eula_versions WHERE eula_id IN ($keys) ORDER BY eula_id, version");
    Ok(keys::grouped(keys::all::<(i64, String)>(db, statement, ids).await?))
}

/// Returns the EULA of a product that binds a version: the one that names it, or else the default.
pub async fn find_binding(db: &dyn Read, product_id: i64, version: &str) -> Result<Option<Eula>> {
    let row: Option<EulaRow> = db
        .one(select!(
            EulaRow,
            "FROM eulas e
             LEFT JOIN eula_versions n ON n.product_id = e.product_id AND n.version = $2
             WHERE e.product_id = $1 AND (n.eula_id = e.id OR (n.eula_id IS NULL AND e.is_default))
             ORDER BY e.name
             LIMIT 1",
            product_id,
            version,
        ))
        .await?;
    row.map(Eula::try_from).transpose()
}

row! {
    /// A product that contains a package, and a version of the package.
    pub struct ProductVersion {
        /// The id of the product.
        product_id: i64 = "p.id",
        /// The name of its owner.
        owner: String = "s.name",
        /// Its name.
        product: String = "p.name",
        /// Its name for people: the display name, if it has one.
        title: String = "COALESCE(NULLIF(p.display_name, ''), p.name)",
        /// The name of the version.
        version: String = "v.name",
    }
}

/// Returns the products with EULAs that contain a version's package.
pub async fn list_products(db: &dyn Read, version_id: VersionId) -> Result<Vec<ProductVersion>> {
    db.all(select!(
        ProductVersion,
        "FROM versions v
         JOIN product_packages o ON o.package_id = v.package_id
         JOIN products p ON p.id = o.product_id
         JOIN subjects s ON s.id = p.owner_id
         WHERE v.id = $1 AND EXISTS (SELECT 1 FROM eulas e WHERE e.product_id = p.id)
         ORDER BY p.name",
        version_id,
    ))
    .await
}

/// Returns the name of the EULA that already names a version, if it is a different one.
pub async fn find_other(db: &dyn Read, eula: &Eula, version: &VersionName) -> Result<Option<String>> {
    db.one(sql!(
        "SELECT e.name
         FROM eula_versions n
         JOIN eulas e ON e.id = n.eula_id
         WHERE n.product_id = $1 AND n.version = $2 AND n.eula_id <> $3",
        eula.product_id,
        version,
        eula.id,
    ))
    .await
}

/// Replaces the versions that a EULA names. A version that another one names is a conflict.
pub async fn set(tx: &mut Tx, eula: &Eula, versions: &[VersionName]) -> Result<()> {
    product_packages::changed(tx, eula.product_id).await?;
    tx.run(sql!("DELETE FROM eula_versions WHERE eula_id = $1", eula.id).long()).await?;
    for version in versions {
        tx.run(insert!(eula_versions { product_id: eula.product_id, version, eula_id: eula.id })).await?;
    }
    Ok(())
}
