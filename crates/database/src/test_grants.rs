//! Rights of keys for outsiders, for tests that are about the keys.

use model::access::Right;

use crate::{Result, Tx, access_keys::AccessKey, changes::Change, statement::sql};

/// Lets a key do this in a whole repository of its owner.
pub async fn insert(tx: &mut Tx, id: i64, repo_id: i64, key: &AccessKey, right: Right) -> Result<()> {
    tx.changed(Change::Repo(repo_id));
    tx.run(sql!(
        "INSERT INTO entitlements (id, owner_id, repo_id, granted, created) VALUES ($1, $2, $3, $4, 0)",
        id,
        key.owner_id,
        repo_id,
        right.number(),
    ))
    .await?;
    tx.run(sql!("INSERT INTO entitlement_keys (entitlement_id, key_id) VALUES ($1, $2)", id, key.id)).await?;
    Ok(())
}
