//! Files of indexes that were made for readers of parts of a repository, and whose paths name their digests.

use model::{id::RepoId, timestamp::Timestamp};

use crate::{
    Read, Result, Tx,
    engine::{
        row::row,
        statement::{insert, select, sql},
    },
};

row! {
    /// Such a file.
    pub struct ViewFile {
        /// Its content.
        bytes: Vec<u8>,
        /// When it was made, in milliseconds since the start of 1970.
        created: i64,
    }
}

/// The readers of a file: those with the same grants in a repository.
#[derive(Debug, Clone, Copy)]
pub struct ViewReaders<'g> {
    /// The repository.
    pub repo_id: RepoId,
    /// The digest of the grants.
    pub grants: &'g str,
}

/// Returns the file that these readers have at a path.
pub async fn find(db: &dyn Read, readers: ViewReaders<'_>, path: &str, now: Timestamp) -> Result<Option<ViewFile>> {
    db.one(
        select!(
            ViewFile,
            "FROM index_view_files WHERE repo_id = $1 AND grants = $2 AND path = $3 AND until > $4",
            readers.repo_id,
            readers.grants,
            path,
            now,
        )
        .looking_up(),
    )
    .await
}

/// Keeps the file at a path for longer; returns false if there is none.
pub async fn extend(tx: &mut Tx, readers: ViewReaders<'_>, path: &str, until: Timestamp) -> Result<bool> {
    let extended = tx
        .run(sql!(
            "UPDATE index_view_files SET until = $4 WHERE repo_id = $1 AND grants = $2 AND path = $3",
            readers.repo_id,
            readers.grants,
            path,
            until,
        ))
        .await?;
    Ok(extended > 0)
}

/// Stores a file, unless another node was faster.
pub async fn insert(tx: &mut Tx, readers: ViewReaders<'_>, path: &str, file: ViewFile, until: Timestamp) -> Result<()> {
    let (ViewReaders { repo_id, grants }, ViewFile { bytes, created }) = (readers, file);
    tx.run(insert!(
        index_view_files { repo_id, grants, path, bytes, created, until },
        "ON CONFLICT (repo_id, grants, path) DO NOTHING",
    ))
    .await?;
    Ok(())
}

/// Returns whether the time of any file is over.
pub async fn has_ended(db: &dyn Read, now: Timestamp) -> Result<bool> {
    let first: Option<i64> =
        db.one(sql!("SELECT until FROM index_view_files WHERE until <= $1 ORDER BY until LIMIT 1", now)).await?;
    Ok(first.is_some())
}

/// Deletes files whose time is over.
pub async fn delete_ended(tx: &mut Tx, now: Timestamp) -> Result<()> {
    tx.run(sql!("DELETE FROM index_view_files WHERE until <= $1", now).long()).await?;
    Ok(())
}
