//! Files of indexes: blocks of a stream with what stands around them, or a document.

use model::{file_path::FilePath, id::RepoId, prefix::NameRange, timestamp::Timestamp};

use crate::{
    Read, Result, Tx,
    engine::{
        keys,
        row::row,
        statement::{insert, select, sql},
    },
};

row! {
    /// A file of an index.
    pub struct IndexFile in "f" {
        /// Its database id.
        id: i64,
        /// Its path in the repository.
        path: String,
        /// The generation that it was made in.
        generation: i64,
        /// The stream whose blocks it has, if it is not a document.
        stream_id: Option<i64>,
        /// A second stream, whose blocks follow.
        second_stream_id: Option<i64>,
        /// Whether the stored blocks are compressed and the file has their text.
        is_inflated: bool,
        /// Whether its path names its digest, so that it stays for a while when it is replaced.
        is_lasting: bool,
        /// The bytes before the first block, or the document.
        head: Vec<u8>,
        /// The bytes between two blocks.
        joint: Vec<u8>,
        /// The bytes between the two streams.
        middle: Option<Vec<u8>>,
        /// The bytes after the last block.
        tail: Vec<u8>,
        /// The size of all.
        size: i64,
        /// The SHA-256 of all in hexadecimal digits, if it is known.
        sha256: Option<String>,
        /// When it was made, in milliseconds since the start of 1970.
        created: i64,
        /// Until when it stays, if it was replaced.
        until: Option<i64>,
    }
}

/// Returns the newest file at a path, which may have been replaced.
pub async fn find(db: &dyn Read, repo_id: RepoId, path: &FilePath) -> Result<Option<IndexFile>> {
    db.one(
        select!(
            IndexFile,
            "FROM index_files f WHERE f.repo_id = $1 AND f.path = $2 ORDER BY f.generation DESC LIMIT 1",
            repo_id,
            path,
        )
        .looking_up(),
    )
    .await
}

/// Lists files whose paths are in a range, the newest first; they may have been replaced.
pub async fn list_in(db: &dyn Read, repo_id: RepoId, paths: &NameRange, limit: i64) -> Result<Vec<IndexFile>> {
    db.all(select!(
        IndexFile,
        "FROM index_files f
         WHERE f.repo_id = $1 AND f.path >= $2 AND f.path < $3
         ORDER BY f.generation DESC, f.path
         LIMIT $4",
        repo_id,
        paths.from.as_str(),
        paths.to.as_str(),
        limit,
    ))
    .await
}

/// Lists the current files of a repository by path.
pub async fn list_live(db: &dyn Read, repo_id: RepoId) -> Result<Vec<IndexFile>> {
    db.all(select!(IndexFile, "FROM index_files f WHERE f.repo_id = $1 AND f.until IS NULL ORDER BY f.path", repo_id,))
        .await
}

/// Adds a file.
pub async fn insert(tx: &mut Tx, repo_id: RepoId, file: IndexFile) -> Result<()> {
    tx.run(insert!(index_files {
        id: file.id,
        repo_id,
        path: file.path,
        generation: file.generation,
        stream_id: file.stream_id,
        second_stream_id: file.second_stream_id,
        is_inflated: file.is_inflated,
        is_lasting: file.is_lasting,
        head: file.head,
        joint: file.joint,
        middle: file.middle,
        tail: file.tail,
        size: file.size,
        sha256: file.sha256,
        created: file.created,
    }))
    .await?;
    Ok(())
}

/// Replaces files: they stay until this time.
pub async fn end(tx: &mut Tx, ids: &[i64], until: Timestamp) -> Result<()> {
    for part in ids.chunks(keys::KEYS) {
        tx.run(keys::about(sql!("UPDATE index_files SET until = $1 WHERE id IN ($keys)", until), part)).await?;
    }
    Ok(())
}

row! {
    /// A replaced file whose time is over.
    #[derive(Copy)]
    pub struct EndedFile in "f" {
        /// Its database id.
        id: i64,
        /// The stream whose blocks it needs.
        stream_id: Option<i64>,
        /// The other one.
        second_stream_id: Option<i64>,
    }
}

/// Lists replaced files whose time is over, except those of the last generations.
pub async fn list_ended(db: &dyn Read, now: Timestamp, generations: i64, limit: i64) -> Result<Vec<EndedFile>> {
    db.all(select!(
        EndedFile,
        "FROM index_files f JOIN index_heads h ON h.repo_id = f.repo_id
         WHERE f.until <= $1 AND f.generation <= h.generation - $2
         ORDER BY f.until
         LIMIT $3",
        now,
        generations,
        limit,
    ))
    .await
}

/// Deletes files.
pub async fn delete(tx: &mut Tx, ids: &[i64]) -> Result<()> {
    for part in ids.chunks(keys::KEYS) {
        tx.run(keys::about(sql!("DELETE FROM index_files WHERE id IN ($keys)").long(), part)).await?;
    }
    Ok(())
}
