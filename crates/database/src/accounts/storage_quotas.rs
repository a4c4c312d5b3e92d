//! How many bytes the files of subjects and repositories may take.

use crate::{
    Read, Result, Tx,
    engine::{
        epochs::Invalidation,
        statement::{insert, sql},
    },
};

/// The quotas that bind a repository, as far as they were set one by one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RepoQuotas {
    /// Its own.
    pub of_repo: Option<i64>,
    /// Its owner's.
    pub of_owner: Option<i64>,
}

/// The quota that was set for a subject.
pub async fn find_of_subject(db: &impl Read, subject_id: i64) -> Result<Option<i64>> {
    let statement = sql!("SELECT quota_bytes FROM subjects WHERE id = $1 AND quota_bytes IS NOT NULL", subject_id);
    db.one(statement).await
}

/// Sets the quota of a subject, or leaves it to the plan.
pub async fn set_of_subject(tx: &mut Tx, subject_id: i64, bytes: Option<i64>) -> Result<()> {
    tx.invalidate(Invalidation::Accounts);
    tx.run(sql!("UPDATE subjects SET quota_bytes = $2 WHERE id = $1", subject_id, bytes)).await?;
    Ok(())
}

/// Sets the quota of a repository, or removes it.
pub async fn set_of_repo(tx: &mut Tx, repo_id: i64, bytes: Option<i64>) -> Result<()> {
    tx.invalidate(Invalidation::Repo(repo_id));
    tx.run(sql!("UPDATE repos SET quota_bytes = $2 WHERE id = $1", repo_id, bytes)).await?;
    Ok(())
}

/// Waits until nobody else adds to what a subject stores, and keeps others from it until the transaction ends.
pub async fn take_turn(tx: &mut Tx, owner_id: i64) -> Result<()> {
    tx.run(insert!(
        storage_turns { owner_id, taken: 1 },
        "ON CONFLICT (owner_id) DO UPDATE SET taken = storage_turns.taken + 1",
    ))
    .await?;
    Ok(())
}
