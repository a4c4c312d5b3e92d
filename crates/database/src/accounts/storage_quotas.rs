//! Storage quotas of subjects and repositories, in bytes.

use model::id::{RepoId, SubjectId};

use crate::{
    Read, Result, Tx,
    engine::{
        invalidation::Invalidation,
        statement::{insert, sql},
    },
};

/// Returns the quota that was set for a subject.
pub async fn find_of_subject(db: &dyn Read, subject_id: SubjectId) -> Result<Option<i64>> {
    let statement = sql!("SELECT quota_bytes FROM subjects WHERE id = $1 AND quota_bytes IS NOT NULL", subject_id);
    db.one(statement).await
}

/// Sets the quota of a subject, or resets it to that of the plan.
pub async fn set_of_subject(tx: &mut Tx, subject_id: SubjectId, bytes: Option<i64>) -> Result<()> {
    tx.invalidate(Invalidation::Accounts);
    tx.run(sql!("UPDATE subjects SET quota_bytes = $2 WHERE id = $1", subject_id, bytes)).await?;
    Ok(())
}

/// Sets the quota of a repository, or removes it.
pub async fn set_of_repo(tx: &mut Tx, repo_id: RepoId, bytes: Option<i64>) -> Result<()> {
    tx.invalidate(Invalidation::Repo(repo_id));
    tx.run(sql!("UPDATE repos SET quota_bytes = $2 WHERE id = $1", repo_id, bytes)).await?;
    Ok(())
}

/// Locks the storage of a subject until the transaction ends, after waiting for other uploads: no other transaction can
/// add to it meanwhile.
pub async fn lock(tx: &mut Tx, owner_id: SubjectId) -> Result<()> {
    tx.run(insert!(
        storage_turns { owner_id, taken: 1 },
        "ON CONFLICT (owner_id) DO UPDATE SET taken = storage_turns.taken + 1",
    ))
    .await?;
    Ok(())
}
