//! The access keys and the tags of entitlements.

use std::collections::HashMap;

use model::id::KeyId;

use crate::{
    Read, Result, Tx,
    engine::{
        keys,
        statement::{insert, sql},
    },
};

/// Returns the names of the access keys of each entitlement.
pub async fn list_keys_of(db: &dyn Read, ids: &[i64]) -> Result<HashMap<i64, Vec<String>>> {
    let statement = sql!(
        "SELECT k.entitlement_id, a.name
         FROM entitlement_keys k
         JOIN access_keys a ON a.id = k.key_id
         WHERE k.entitlement_id IN ($keys)
         ORDER BY k.entitlement_id, a.name"
    );
    Ok(keys::grouped(keys::all::<(i64, String)>(db, statement, ids).await?))
}

/// Returns the tags of each entitlement.
pub async fn list_tags_of(db: &dyn Read, ids: &[i64]) -> Result<HashMap<i64, Vec<String>>> {
    let statement = sql!(
        "SELECT entitlement_id, tag
         FROM entitlement_tags
         WHERE entitlement_id IN ($keys)
         ORDER BY entitlement_id, tag"
    );
    Ok(keys::grouped(keys::all::<(i64, String)>(db, statement, ids).await?))
}

/// Adds an access key to an entitlement, unless it has it already.
pub async fn insert_key(tx: &mut Tx, id: i64, key_id: KeyId) -> Result<()> {
    tx.run(insert!(entitlement_keys { entitlement_id: id, key_id }, "ON CONFLICT (entitlement_id, key_id) DO NOTHING"))
        .await?;
    Ok(())
}

/// Removes all access keys from an entitlement.
pub async fn delete_keys(tx: &mut Tx, id: i64) -> Result<()> {
    tx.run(sql!("DELETE FROM entitlement_keys WHERE entitlement_id = $1", id).long()).await?;
    Ok(())
}

/// Adds a tag to an entitlement, unless it has it already.
pub async fn insert_tag(tx: &mut Tx, id: i64, tag: &str) -> Result<()> {
    tx.run(insert!(entitlement_tags { entitlement_id: id, tag }, "ON CONFLICT (entitlement_id, tag) DO NOTHING"))
        .await?;
    Ok(())
}

/// Removes all tags from an entitlement.
pub async fn delete_tags(tx: &mut Tx, id: i64) -> Result<()> {
    tx.run(sql!("DELETE FROM entitlement_tags WHERE entitlement_id = $1", id).long()).await?;
    Ok(())
}
