//! Products: packages of one owner that are sold together.

use model::{
    names::{ProductName, VersionName},
    timestamp::Timestamp,
};

use crate::{Error, Read, Result, Tx, changes::Change, row::row, statement::sql};

/// A product.
#[derive(Debug, Clone)]
pub struct Product {
    /// Its key in the database.
    pub id: i64,
    /// The key of its owner.
    pub owner_id: i64,
    /// Its name.
    pub name: ProductName,
    /// When it was made.
    pub created: Timestamp,
    /// What may change.
    pub profile: ProductProfile,
}

/// What of a product may change, besides its packages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProductProfile {
    /// Its name for people.
    pub display_name: String,
    /// What it is.
    pub description: String,
    /// Where to read more.
    pub website_url: Option<String>,
    /// Where the source is.
    pub vcs_url: Option<String>,
    /// How many seconds a signed address of one of its files lives.
    pub sign_url_expiry: Option<i64>,
}

row! {
    struct ProductRow {
        id: i64, owner_id: i64, name: String, created: i64, display_name: String, description: String,
        website_url: Option<String>, vcs_url: Option<String>, sign_url_expiry: Option<i64>,
    }
}

row! {
    /// A product in a list.
    pub struct ListedProduct {
        /// Its name.
        name: String,
        /// Its name for people.
        display_name: String,
    }
}

impl TryFrom<ProductRow> for Product {
    type Error = Error;

    fn try_from(row: ProductRow) -> Result<Self> {
        let damaged = |_| Error::Broken(format!("product {} has a damaged row", row.id));
        let profile = ProductProfile {
            display_name: row.display_name,
            description: row.description,
            website_url: row.website_url,
            vcs_url: row.vcs_url,
            sign_url_expiry: row.sign_url_expiry,
        };
        let name = ProductName::parse(&row.name).map_err(damaged)?;
        let created = Timestamp::from_millis(row.created);
        Ok(Product { id: row.id, owner_id: row.owner_id, name, created, profile })
    }
}

/// The products of a subject, by name.
pub async fn list(db: &impl Read, owner_id: i64) -> Result<Vec<ListedProduct>> {
    db.all(sql!("SELECT name, display_name FROM products WHERE owner_id = $1 ORDER BY name", owner_id)).await
}

/// The product of this name.
pub async fn find(db: &impl Read, owner_id: i64, name: &ProductName) -> Result<Option<Product>> {
    let row: Option<ProductRow> = db
        .one(sql!(
            "SELECT id, owner_id, name, created, display_name, description, website_url, vcs_url, sign_url_expiry
             FROM products
             WHERE owner_id = $1 AND name = $2",
            owner_id,
            name,
        ))
        .await?;
    row.map(Product::try_from).transpose()
}

/// Its packages as `repo/package`, in the order they were given.
pub async fn list_packages(db: &impl Read, product_id: i64) -> Result<Vec<String>> {
    db.all(sql!(
        "SELECT r.name || '/' || p.name
         FROM product_packages o
         JOIN packages p ON p.id = o.package_id
         JOIN repos r ON r.id = p.repo_id
         WHERE o.product_id = $1
         ORDER BY o.position, o.package_id",
        product_id,
    ))
    .await
}

/// Whether one of its packages has a version of this name that a key may read something of.
pub async fn has_version(db: &impl Read, product_id: i64, version: &VersionName, key_id: i64) -> Result<bool> {
    let found: Option<i64> = db
        .one(sql!(
            "SELECT v.id
             FROM product_packages o
             JOIN packages p ON p.id = o.package_id
             JOIN repos r ON r.id = p.repo_id
             JOIN versions v ON v.package_id = p.id
             WHERE o.product_id = $1 AND v.name = $2
                 AND (NOT r.is_private
                     OR EXISTS (SELECT 1 FROM repo_grants g WHERE g.repo_id = r.id AND g.grantee_id = $3)
                     OR EXISTS (SELECT 1 FROM partial_grants g WHERE g.repo_id = r.id AND g.key_id = $3
                         AND g.package_id = p.id AND (g.version_id IS NULL OR g.version_id = v.id))
                     OR EXISTS (SELECT 1 FROM partial_grants g
                         JOIN files f ON f.version_id = v.id
                         WHERE g.repo_id = r.id AND g.key_id = $3 AND f.published_blob_id IS NOT NULL
                             AND (f.path = g.path OR (f.path > g.path || '/' AND f.path < g.path || '0'))))
             ORDER BY v.id
             LIMIT 1",
            product_id,
            version,
            key_id,
        ))
        .await?;
    Ok(found.is_some())
}

/// Whether a key may read something of one of its packages.
pub async fn is_open_to_key(db: &impl Read, product_id: i64, key_id: i64) -> Result<bool> {
    let found: Option<i64> = db
        .one(sql!(
            "SELECT o.package_id
             FROM product_packages o
             JOIN packages p ON p.id = o.package_id
             JOIN repos r ON r.id = p.repo_id
             WHERE o.product_id = $1
                 AND (NOT r.is_private
                     OR EXISTS (SELECT 1 FROM repo_grants g WHERE g.repo_id = r.id AND g.grantee_id = $2)
                     OR EXISTS (SELECT 1 FROM partial_grants g WHERE g.repo_id = r.id AND g.key_id = $2
                         AND g.package_id = p.id)
                     OR EXISTS (SELECT 1 FROM partial_grants g
                         JOIN files f ON f.package_id = p.id
                         WHERE g.repo_id = r.id AND g.key_id = $2 AND f.published_blob_id IS NOT NULL
                             AND (f.path = g.path OR (f.path > g.path || '/' AND f.path < g.path || '0'))))
             ORDER BY o.package_id
             LIMIT 1",
            product_id,
            key_id,
        ))
        .await?;
    Ok(found.is_some())
}

/// Adds a product without packages. A name that differs by letter case alone is a conflict.
pub async fn insert(tx: &mut Tx, product: &Product) -> Result<()> {
    let profile = &product.profile;
    tx.run(sql!(
        "INSERT INTO products (id, owner_id, name, folded_name, display_name, description, website_url, vcs_url,
             sign_url_expiry, created)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        product.id,
        product.owner_id,
        &product.name,
        product.name.folded(),
        &profile.display_name,
        &profile.description,
        profile.website_url.as_deref(),
        profile.vcs_url.as_deref(),
        profile.sign_url_expiry,
        product.created,
    ))
    .await?;
    Ok(())
}

/// Changes what may change.
pub async fn update(tx: &mut Tx, id: i64, profile: &ProductProfile) -> Result<()> {
    tx.run(sql!(
        "UPDATE products SET display_name = $2, description = $3, website_url = $4, vcs_url = $5, sign_url_expiry = $6
         WHERE id = $1",
        id,
        &profile.display_name,
        &profile.description,
        profile.website_url.as_deref(),
        profile.vcs_url.as_deref(),
        profile.sign_url_expiry,
    ))
    .await?;
    Ok(())
}

/// Replaces its packages. One that is gone is missing.
pub async fn set_packages(tx: &mut Tx, id: i64, package_ids: &[i64]) -> Result<()> {
    changed(tx, id).await?;
    tx.run(sql!("DELETE FROM product_packages WHERE product_id = $1", id)).await?;
    for (position, package_id) in (0_i64..).zip(package_ids) {
        tx.run(sql!(
            "INSERT INTO product_packages (product_id, package_id, position) VALUES ($1, $2, $3)",
            id,
            *package_id,
            position,
        ))
        .await?;
    }
    changed(tx, id).await
}

/// Removes a product with its agreements.
pub async fn delete(tx: &mut Tx, id: i64) -> Result<()> {
    changed(tx, id).await?;
    tx.run(sql!("DELETE FROM products WHERE id = $1", id)).await?;
    Ok(())
}

/// Notes that downloads of its packages are to be decided anew.
pub(crate) async fn changed(tx: &mut Tx, id: i64) -> Result<()> {
    let repo_ids: Vec<i64> = tx
        .all(sql!(
            "SELECT DISTINCT p.repo_id
             FROM product_packages o
             JOIN packages p ON p.id = o.package_id
             WHERE o.product_id = $1
             ORDER BY p.repo_id",
            id,
        ))
        .await?;
    for repo_id in repo_ids {
        tx.changed(Change::Repo(repo_id));
    }
    Ok(())
}
