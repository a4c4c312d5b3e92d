//! The entitlements in one scope.

use model::entitlement::EntitlementScope;

use crate::{
    Read, Result,
    engine::statement::{Statement, sql},
};

/// Counts the entitlements in a scope.
pub async fn count(db: &dyn Read, level: EntitlementScope) -> Result<i64> {
    let statement = match level {
        EntitlementScope::Repo(id) => {
            sql!("SELECT CAST(COUNT(*) AS BIGINT) FROM entitlements WHERE repo_id = $1 AND package_id IS NULL", id)
        }
        EntitlementScope::Package(id) => {
            sql!("SELECT CAST(COUNT(*) AS BIGINT) FROM entitlements WHERE package_id = $1 AND version_id IS NULL", id)
        }
        EntitlementScope::Version(id) => {
            sql!("SELECT CAST(COUNT(*) AS BIGINT) FROM entitlements WHERE version_id = $1", id)
        }
        EntitlementScope::Product(id) => {
            sql!("SELECT CAST(COUNT(*) AS BIGINT) FROM entitlements WHERE product_id = $1", id)
        }
    };
    Ok(db.one(statement).await?.unwrap_or_default())
}

/// Returns a page of the ids of the entitlements in a scope, oldest first.
pub async fn list(db: &dyn Read, level: EntitlementScope, start: i64, limit: i64) -> Result<Vec<i64>> {
    db.all(page(level, start, limit)).await
}

fn page(level: EntitlementScope, start: i64, limit: i64) -> Statement {
    match level {
        EntitlementScope::Repo(id) => sql!(
            "SELECT id FROM entitlements
             WHERE repo_id = $1 AND package_id IS NULL
             ORDER BY id
             LIMIT $3 OFFSET $2",
            id,
            start,
            limit,
        ),
        EntitlementScope::Package(id) => sql!(
            "SELECT id FROM entitlements
             WHERE package_id = $1 AND version_id IS NULL
             ORDER BY id
             LIMIT $3 OFFSET $2",
            id,
            start,
            limit,
        ),
        EntitlementScope::Version(id) => {
            sql!("SELECT id FROM entitlements WHERE version_id = $1 ORDER BY id LIMIT $3 OFFSET $2", id, start, limit)
        }
        EntitlementScope::Product(id) => {
            sql!("SELECT id FROM entitlements WHERE product_id = $1 ORDER BY id LIMIT $3 OFFSET $2", id, start, limit)
        }
    }
}
