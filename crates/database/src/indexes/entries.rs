//! The files of streams, each with the place of its block.

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
    /// A file of a stream.
    pub struct IndexEntry in "e" {
        /// The stream.
        stream_id: i64,
        /// The file, which may be gone.
        file_id: i64,
        /// The place of its block.
        place: i64,
        /// The group whose entries are in the same block, if it has one.
        group: Option<String> = "e.group_name",
    }
}

/// Lists the entries of files in the streams of a repository.
pub async fn list_of_files(db: &dyn Read, repo_id: RepoId, file_ids: &[i64]) -> Result<Vec<IndexEntry>> {
    let statement = select!(
        IndexEntry,
        "FROM index_entries e JOIN index_streams s ON s.id = e.stream_id WHERE s.repo_id = $1 AND e.file_id IN ($keys)",
        repo_id,
    );
    keys::all(db, statement, file_ids).await
}

/// Returns the place of a group in a stream, if the stream has it.
pub async fn find_place(db: &dyn Read, stream_id: i64, group: &str) -> Result<Option<i64>> {
    db.one(sql!("SELECT place FROM index_entries WHERE stream_id = $1 AND group_name = $2 LIMIT 1", stream_id, group))
        .await
}

/// Lists the files of a group in a stream.
pub async fn list_of_group(db: &dyn Read, stream_id: i64, group: &str) -> Result<Vec<i64>> {
    db.all(sql!(
        "SELECT file_id FROM index_entries WHERE stream_id = $1 AND group_name = $2 ORDER BY file_id",
        stream_id,
        group,
    ))
    .await
}

/// Lists the entries at a place of a stream.
pub async fn list_at_place(db: &dyn Read, stream_id: i64, place: i64) -> Result<Vec<IndexEntry>> {
    db.all(select!(
        IndexEntry,
        "FROM index_entries e WHERE e.stream_id = $1 AND e.place = $2 ORDER BY e.file_id",
        stream_id,
        place,
    ))
    .await
}

/// Lists the files of a stream.
pub async fn list_files(db: &dyn Read, stream_id: i64) -> Result<Vec<i64>> {
    db.all(sql!("SELECT file_id FROM index_entries WHERE stream_id = $1 ORDER BY file_id", stream_id).long()).await
}

/// Adds an entry, or moves it to another place.
pub async fn upsert(tx: &mut Tx, entry: &IndexEntry) -> Result<()> {
    let IndexEntry { stream_id, file_id, place, group } = entry;
    tx.run(insert!(
        index_entries { stream_id: *stream_id, file_id: *file_id, place: *place, group_name: group.as_deref() },
        "ON CONFLICT (stream_id, file_id) DO UPDATE SET place = excluded.place, group_name = excluded.group_name",
    ))
    .await?;
    Ok(())
}

/// Deletes an entry.
pub async fn delete(tx: &mut Tx, stream_id: i64, file_id: i64) -> Result<()> {
    tx.run(sql!("DELETE FROM index_entries WHERE stream_id = $1 AND file_id = $2", stream_id, file_id).long()).await?;
    Ok(())
}
