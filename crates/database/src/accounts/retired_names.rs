//! Names of deleted subjects.

use model::{names::SubjectName, timestamp::Timestamp};

use crate::{
    Read, Result, Tx,
    engine::statement::{insert, sql},
};

/// Returns whether a deleted subject had this name, in any letter case.
pub async fn contains(db: &impl Read, name: &SubjectName) -> Result<bool> {
    let found: Option<String> =
        db.one(sql!("SELECT name FROM retired_names WHERE folded_name = $1", name.folded())).await?;
    Ok(found.is_some())
}

/// Adds the name of a subject that is being deleted.
pub async fn insert(tx: &mut Tx, name: &SubjectName, now: Timestamp) -> Result<()> {
    tx.run(insert!(
        retired_names { folded_name: name.folded(), name, retired: now },
        "ON CONFLICT (folded_name) DO UPDATE SET name = excluded.name, retired = excluded.retired",
    ))
    .await?;
    Ok(())
}

/// Makes a name available again.
pub async fn delete(tx: &mut Tx, name: &SubjectName) -> Result<()> {
    tx.run(sql!("DELETE FROM retired_names WHERE folded_name = $1", name.folded()).long()).await?;
    Ok(())
}
