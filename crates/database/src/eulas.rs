//! Agreements of products: which text binds which version.

use model::{
    document::{Document, Syntax},
    names::{EulaName, VersionName},
    timestamp::Timestamp,
};

use crate::{Error, Read, Result, Tx, keys, products, row::row, statement::sql};

/// An agreement.
#[derive(Debug, Clone)]
pub struct Eula {
    /// Its key in the database.
    pub id: i64,
    /// The key of its product.
    pub product_id: i64,
    /// Its name.
    pub name: EulaName,
    /// What it says.
    pub document: Document,
    /// Whether it binds versions that no agreement names.
    pub is_default: bool,
    /// When it was last changed.
    pub updated: Timestamp,
}

row! {
    struct EulaRow {
        id: i64, product_id: i64, name: String, syntax: String, content: String, is_default: bool, updated: i64,
    }
}

impl TryFrom<EulaRow> for Eula {
    type Error = Error;

    fn try_from(row: EulaRow) -> Result<Self> {
        let damaged = || Error::Broken(format!("EULA {} has a damaged row", row.id));
        let syntax = Syntax::parse(&row.syntax).ok_or_else(damaged)?;
        Ok(Eula {
            id: row.id,
            product_id: row.product_id,
            name: EulaName::parse(&row.name).map_err(|_| damaged())?,
            document: Document { syntax, content: row.content },
            is_default: row.is_default,
            updated: Timestamp::from_millis(row.updated),
        })
    }
}

/// The agreements of a product, by name.
pub async fn list(db: &impl Read, product_id: i64) -> Result<Vec<Eula>> {
    let rows: Vec<EulaRow> = db
        .all(sql!(
            "SELECT id, product_id, name, syntax, content, is_default, updated
             FROM eulas
             WHERE product_id = $1
             ORDER BY name",
            product_id,
        ))
        .await?;
    rows.into_iter().map(Eula::try_from).collect()
}

/// The agreement of this name.
pub async fn find(db: &impl Read, product_id: i64, name: &EulaName) -> Result<Option<Eula>> {
    let row: Option<EulaRow> = db
        .one(sql!(
            "SELECT id, product_id, name, syntax, content, is_default, updated
             FROM eulas
             WHERE product_id = $1 AND name = $2",
            product_id,
            name,
        ))
        .await?;
    row.map(Eula::try_from).transpose()
}

/// The versions that each agreement names, in order of the alphabet.
pub async fn list_versions(db: &impl Read, ids: &[i64]) -> Result<std::collections::HashMap<i64, Vec<String>>> {
    let statement =
        sql!("SELECT eula_id, version FROM eula_versions WHERE eula_id IN ($keys) ORDER BY eula_id, version");
    Ok(keys::grouped(keys::all::<(i64, String)>(db, statement, ids).await?))
}

/// The agreement of a product that binds a version: the one that names it, or else the default.
pub async fn find_binding(db: &impl Read, product_id: i64, version: &str) -> Result<Option<Eula>> {
    let row: Option<EulaRow> = db
        .one(sql!(
            "SELECT e.id, e.product_id, e.name, e.syntax, e.content, e.is_default, e.updated
             FROM eulas e
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
    /// A product that a package is in, and a version of the package.
    pub struct Holding {
        /// The key of the product.
        product_id: i64,
        /// The name of its owner.
        owner: String,
        /// Its name.
        product: String,
        /// The name of the version.
        version: String,
    }
}

/// The products with agreements that a version's package is in.
pub async fn list_products(db: &impl Read, version_id: i64) -> Result<Vec<Holding>> {
    db.all(sql!(
        "SELECT p.id, s.name, p.name, v.name
         FROM versions v
         JOIN product_packages o ON o.package_id = v.package_id
         JOIN products p ON p.id = o.product_id
         JOIN subjects s ON s.id = p.owner_id
         WHERE v.id = $1 AND EXISTS (SELECT 1 FROM eulas e WHERE e.product_id = p.id)
         ORDER BY p.name",
        version_id,
    ))
    .await
}

/// The name of the agreement that names a version already, if it is another one.
pub async fn find_other(db: &impl Read, eula: &Eula, version: &VersionName) -> Result<Option<String>> {
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

/// Adds an agreement. A default takes the place of the one before it.
pub async fn insert(tx: &mut Tx, eula: &Eula) -> Result<()> {
    products::changed(tx, eula.product_id).await?;
    tx.run(sql!(
        "INSERT INTO eulas (id, product_id, name, syntax, content, is_default, created, updated)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $7)",
        eula.id,
        eula.product_id,
        &eula.name,
        eula.document.syntax.as_str(),
        &eula.document.content,
        eula.is_default,
        eula.updated,
    ))
    .await?;
    replace_default(tx, eula).await
}

/// Changes all but the name.
pub async fn update(tx: &mut Tx, eula: &Eula) -> Result<()> {
    products::changed(tx, eula.product_id).await?;
    tx.run(sql!(
        "UPDATE eulas SET syntax = $2, content = $3, is_default = $4, updated = $5 WHERE id = $1",
        eula.id,
        eula.document.syntax.as_str(),
        &eula.document.content,
        eula.is_default,
        eula.updated,
    ))
    .await?;
    replace_default(tx, eula).await
}

async fn replace_default(tx: &mut Tx, eula: &Eula) -> Result<()> {
    if eula.is_default {
        tx.run(sql!(
            "UPDATE eulas SET is_default = FALSE WHERE product_id = $1 AND id <> $2 AND is_default",
            eula.product_id,
            eula.id,
        ))
        .await?;
    }
    Ok(())
}

/// Replaces the versions that an agreement names. One that another names is a conflict.
pub async fn set_versions(tx: &mut Tx, eula: &Eula, versions: &[VersionName]) -> Result<()> {
    products::changed(tx, eula.product_id).await?;
    tx.run(sql!("DELETE FROM eula_versions WHERE eula_id = $1", eula.id)).await?;
    for version in versions {
        tx.run(sql!(
            "INSERT INTO eula_versions (product_id, version, eula_id) VALUES ($1, $2, $3)",
            eula.product_id,
            version,
            eula.id,
        ))
        .await?;
    }
    Ok(())
}

/// Removes an agreement. What was signed stays.
pub async fn delete(tx: &mut Tx, eula: &Eula) -> Result<()> {
    products::changed(tx, eula.product_id).await?;
    tx.run(sql!("DELETE FROM eulas WHERE id = $1", eula.id)).await?;
    Ok(())
}
