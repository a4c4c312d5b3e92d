//! Files that the indexes of a repository do not show as they are. Triggers note them.

use model::id::RepoId;

use crate::{
    Read, Result, Tx,
    engine::{
        keys,
        row::row,
        statement::{insert, select, sql},
    },
};

row! {
    /// A noted file.
    #[derive(Copy)]
    pub struct IndexChange {
        /// The number of the note.
        id: i64,
        /// The file, which may be gone.
        file_id: i64,
    }
}

/// Lists changes of a repository.
pub async fn list(db: &dyn Read, repo_id: RepoId, limit: i64) -> Result<Vec<IndexChange>> {
    db.all(select!(IndexChange, "FROM index_changes WHERE repo_id = $1 ORDER BY id LIMIT $2", repo_id, limit)).await
}

/// Returns one of the changes of a repository, if there is any.
pub async fn find_any(db: &dyn Read, repo_id: RepoId) -> Result<Option<i64>> {
    db.one(sql!("SELECT id FROM index_changes WHERE repo_id = $1 ORDER BY id LIMIT 1", repo_id).looking_up()).await
}

/// Returns whether one of these changes is left.
pub async fn are_left(db: &dyn Read, ids: &[i64]) -> Result<bool> {
    let left: Vec<i64> = keys::all(db, sql!("SELECT id FROM index_changes WHERE id IN ($keys) LIMIT 1"), ids).await?;
    Ok(!left.is_empty())
}

/// Returns the first repository with changes after this one.
pub async fn next_repo(db: &dyn Read, after: RepoId) -> Result<Option<RepoId>> {
    db.one(sql!("SELECT repo_id FROM index_changes WHERE repo_id > $1 ORDER BY repo_id LIMIT 1", after).looking_up())
        .await
}

/// Counts the files that wait to be indexed, up to a limit.
pub async fn count(db: &dyn Read, limit: i64) -> Result<i64> {
    let waiting = sql!(
        "SELECT CAST(COUNT(*) AS BIGINT) FROM (SELECT id FROM index_changes WHERE id > 0 LIMIT $1) waiting",
        limit
    );
    Ok(db.one(waiting).await?.unwrap_or_default())
}

/// Notes files.
pub async fn insert(tx: &mut Tx, repo_id: RepoId, changed: &[(i64, i64)]) -> Result<()> {
    for (id, file_id) in changed {
        tx.run(insert!(index_changes { id: *id, repo_id, file_id: *file_id })).await?;
    }
    Ok(())
}

/// Deletes changes that a generation covers.
pub async fn delete(tx: &mut Tx, ids: &[i64]) -> Result<()> {
    for part in ids.chunks(keys::KEYS) {
        tx.run(keys::about(sql!("DELETE FROM index_changes WHERE id IN ($keys)").long(), part)).await?;
    }
    Ok(())
}

/// Deletes all changes of a repository that has no indexes any more.
pub async fn delete_of_repo(tx: &mut Tx, repo_id: RepoId) -> Result<()> {
    tx.run(sql!("DELETE FROM index_changes WHERE repo_id = $1", repo_id).long()).await?;
    Ok(())
}

/// Returns whether a repository has a published file or a link to a package.
pub async fn has_files(db: &dyn Read, repo_id: RepoId) -> Result<bool> {
    let file = sql!(
        "SELECT f.id FROM files f WHERE f.repo_id = $1 AND f.published_blob_id IS NOT NULL ORDER BY f.path LIMIT 1",
        repo_id,
    );
    if db.one::<i64>(file).await?.is_some() {
        return Ok(true);
    }
    let link = sql!("SELECT l.package_id FROM links l WHERE l.repo_id = $1 ORDER BY l.package_id LIMIT 1", repo_id);
    Ok(db.one::<i64>(link).await?.is_some())
}

/// Lists published files of a repository after a file, by id.
pub async fn list_files(db: &dyn Read, repo_id: RepoId, after: i64, limit: i64) -> Result<Vec<i64>> {
    db.all(
        sql!(
            "SELECT id FROM (
             SELECT f.id AS id FROM files f WHERE f.repo_id = $1 AND f.published_blob_id IS NOT NULL AND f.id > $2
             UNION
             SELECT f.id FROM links l JOIN files f ON f.package_id = l.package_id
             WHERE l.repo_id = $1 AND f.published_blob_id IS NOT NULL AND f.id > $2
             UNION
             SELECT e.file_id FROM index_streams s JOIN index_entries e ON e.stream_id = s.id
             WHERE s.repo_id = $1 AND e.file_id > $2) listed
         ORDER BY id
         LIMIT $3",
            repo_id,
            after,
            limit,
        )
        .long(),
    )
    .await
}
