//! What access keys open, for lists of keys.

use std::collections::HashMap;

use model::{id::KeyId, overview::KeyRight};

use crate::{
    Read, Result,
    engine::{keys, row::row, statement::select},
};

row! {
    struct KeyRightRow {
        key_id: KeyId = "a.id", owner: Option<String> = "s.name", repo: Option<String> = "r.name",
        package: Option<String> = "p.name", version: Option<String> = "v.name", path: Option<String> = "e.path",
        product: Option<String> = "d.name",
    }
}

/// Returns the oldest rights of access keys, at most four of each: a list shows three, and whether there are more.
pub async fn list(db: &dyn Read, key_ids: &[KeyId]) -> Result<HashMap<KeyId, Vec<KeyRight>>> {
    let statement = select!(
        KeyRightRow,
        "FROM access_keys a
         JOIN entitlement_keys k ON k.key_id = a.id
         JOIN entitlements e ON e.id = k.entitlement_id
         LEFT JOIN repos r ON r.id = e.repo_id
         LEFT JOIN subjects s ON s.id = r.owner_id
         LEFT JOIN packages p ON p.id = e.package_id
         LEFT JOIN versions v ON v.id = e.version_id
         LEFT JOIN products d ON d.id = e.product_id
         WHERE a.id IN ($keys) AND k.entitlement_id <= COALESCE(
             (SELECT o.entitlement_id FROM entitlement_keys o WHERE o.key_id = a.id
              ORDER BY o.entitlement_id LIMIT 1 OFFSET 3),
             k.entitlement_id)
         ORDER BY a.id, k.entitlement_id",
    );
    let rows: Vec<KeyRightRow> = keys::all(db, statement, key_ids).await?;
    let right = |row: KeyRightRow| {
        let KeyRightRow { key_id, owner, repo, package, version, path, product } = row;
        (key_id, KeyRight { owner, repo, package, version, path, product })
    };
    Ok(keys::grouped(rows.into_iter().map(right)))
}
