//! Streams: texts of blocks in a row.

use model::id::RepoId;

use crate::{
    Read, Result, Tx,
    engine::{
        row::row,
        statement::{insert, select},
    },
};

row! {
    /// A stream of a repository.
    pub struct IndexStream {
        /// Its database id.
        id: i64,
        /// Its name, in the notation of the format.
        name: String,
        /// The number of its entries.
        entries: i64,
    }
}

/// Lists the streams of a repository by name.
pub async fn list(db: &dyn Read, repo_id: RepoId) -> Result<Vec<IndexStream>> {
    db.all(select!(IndexStream, "FROM index_streams WHERE repo_id = $1 ORDER BY name", repo_id)).await
}

/// Adds a stream, or sets the number of entries of one that exists.
pub async fn upsert(tx: &mut Tx, repo_id: RepoId, stream: &IndexStream) -> Result<()> {
    tx.run(insert!(
        index_streams { id: stream.id, repo_id, name: &stream.name, entries: stream.entries },
        "ON CONFLICT (repo_id, name) DO UPDATE SET entries = excluded.entries",
    ))
    .await?;
    Ok(())
}
