//! Names that deleted and renamed subjects had.

use model::{id::SubjectId, names::SubjectName, timestamp::Timestamp};

use crate::{
    Read, Result, Tx,
    engine::statement::{insert, sql},
};

/// Returns whether a deleted subject had this name, in any letter case.
pub async fn contains(db: &dyn Read, name: &SubjectName) -> Result<bool> {
    let found: Option<String> =
        db.one(sql!("SELECT name FROM retired_names WHERE folded_name = $1", name.folded())).await?;
    Ok(found.is_some())
}

/// Returns the subject that had this name, in any letter case, before it was renamed.
pub async fn find_renamed(db: &dyn Read, name: &SubjectName) -> Result<Option<SubjectId>> {
    db.one(sql!("SELECT subject_id FROM former_names WHERE folded_name = $1", name.folded())).await
}

/// Adds the name of a subject that is being renamed. The subject may get it back.
pub async fn insert_former(tx: &mut Tx, name: &SubjectName, subject_id: SubjectId, now: Timestamp) -> Result<()> {
    insert(tx, name, now).await?;
    tx.run(insert!(
        former_names { folded_name: name.folded(), name, subject_id, renamed: now },
        "ON CONFLICT (folded_name) DO UPDATE
         SET name = excluded.name, subject_id = excluded.subject_id, renamed = excluded.renamed",
    ))
    .await?;
    Ok(())
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
    tx.run(sql!("DELETE FROM former_names WHERE folded_name = $1", name.folded()).long()).await?;
    tx.run(sql!("DELETE FROM retired_names WHERE folded_name = $1", name.folded()).long()).await?;
    Ok(())
}
