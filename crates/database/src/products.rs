//! Packages that are sold together.

use model::names::ProductName;

use crate::{Read, Result, row::row, statement::sql};

row! {
    /// A product.
    pub struct Product {
        /// Its key in the database.
        id: i64,
    }
}

/// The product of this name.
pub async fn find(db: &impl Read, owner_id: i64, name: &ProductName) -> Result<Option<Product>> {
    db.one(sql!("SELECT id FROM products WHERE owner_id = $1 AND name = $2", owner_id, name)).await
}
