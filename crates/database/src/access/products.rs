//! Products: packages of one owner that are sold together.

use model::{
    id::SubjectId,
    names::ProductName,
    product::{ListedProduct, Product, ProductProfile},
    timestamp::Timestamp,
};

use crate::{
    Error, Read, Result, Tx,
    access::product_packages,
    engine::{
        row::row,
        statement::{insert, select, sql, update},
    },
};

row! {
    struct ProductRow {
        id: i64, owner_id: SubjectId, name: String, created: i64, display_name: String, description: String,
        website_url: Option<String>, vcs_url: Option<String>, sign_url_expiry: Option<i64>,
    }
}

row! {
    struct ListedProductRow => ListedProduct {
        name: String, display_name: String,
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

/// Returns the products of a subject, by name.
pub async fn list(db: &dyn Read, owner_id: SubjectId) -> Result<Vec<ListedProduct>> {
    db.all(select!(ListedProductRow, "FROM products WHERE owner_id = $1 ORDER BY name", owner_id)).await
}

/// Returns the product with this name.
pub async fn find(db: &dyn Read, owner_id: SubjectId, name: &ProductName) -> Result<Option<Product>> {
    let row: Option<ProductRow> = db
        .one(select!(
            ProductRow,
            "FROM products
             WHERE owner_id = $1 AND name = $2",
            owner_id,
            name,
        ))
        .await?;
    row.map(Product::try_from).transpose()
}

/// Adds a product without packages. A name that differs by letter case alone is a conflict.
pub async fn insert(tx: &mut Tx, product: &Product) -> Result<()> {
    let profile = &product.profile;
    tx.run(insert!(products {
        id: product.id,
        owner_id: product.owner_id,
        name: &product.name,
        folded_name: product.name.folded(),
        display_name: &profile.display_name,
        description: &profile.description,
        website_url: profile.website_url.as_deref(),
        vcs_url: profile.vcs_url.as_deref(),
        sign_url_expiry: profile.sign_url_expiry,
        created: product.created,
    }))
    .await?;
    Ok(())
}

/// Updates the editable fields.
pub async fn update(tx: &mut Tx, id: i64, profile: &ProductProfile) -> Result<()> {
    tx.run(update!(
        products {
            display_name: &profile.display_name,
            description: &profile.description,
            website_url: profile.website_url.as_deref(),
            vcs_url: profile.vcs_url.as_deref(),
            sign_url_expiry: profile.sign_url_expiry,
        },
        "WHERE id = $1",
        id,
    ))
    .await?;
    Ok(())
}

/// Deletes a product and its EULAs.
pub async fn delete(tx: &mut Tx, id: i64) -> Result<()> {
    product_packages::changed(tx, id).await?;
    tx.run(sql!("DELETE FROM products WHERE id = $1", id).long()).await?;
    Ok(())
}
