//! Keys for outsiders as tests begin with them, straight into the tables.

use crate::{Database, Result, ScopedFutureExt, statement::sql};

/// What a key is given.
#[derive(Debug, Clone, Copy)]
pub enum Given {
    /// A whole repository, by its key.
    Repo(i64),
    /// The packages of a product, by its key.
    Product(i64),
}

/// Adds a key of an owner, with the hash of its password.
pub async fn insert(db: &Database, id: i64, owner_id: i64, name: &str, password_hash: &str) -> Result<()> {
    db.write(|tx| {
        async move {
            tx.run(sql!(
                "INSERT INTO access_keys (id, owner_id, name, folded_name, password_hash, white_cidrs, black_cidrs,
                     is_api_only, spent_downloads, created)
                 VALUES ($1, $2, $3, $3, $4, '', '', FALSE, 0, 0)",
                id,
                owner_id,
                name,
                password_hash,
            ))
            .await
        }
        .scope_boxed()
    })
    .await?;
    Ok(())
}

/// Gives a key a right, by its number: 1 reads, 2 publishes.
pub async fn give(db: &Database, id: i64, owner_id: i64, key_id: i64, given: Given, right: i64) -> Result<()> {
    let (repo_id, product_id) = match given {
        Given::Repo(id) => (Some(id), None),
        Given::Product(id) => (None, Some(id)),
    };
    db.write(|tx| {
        async move {
            tx.run(sql!(
                "INSERT INTO entitlements (id, owner_id, repo_id, product_id, granted, created)
                 VALUES ($1, $2, $3, $4, $5, 0)",
                id,
                owner_id,
                repo_id,
                product_id,
                right,
            ))
            .await?;
            tx.run(sql!("INSERT INTO entitlement_keys (entitlement_id, key_id) VALUES ($1, $2)", id, key_id)).await
        }
        .scope_boxed()
    })
    .await?;
    Ok(())
}
