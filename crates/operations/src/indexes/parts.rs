//! Parts of index files, which have no rows: all parts of a file are made together when one of them is read.

use std::{collections::HashMap, sync::Arc};

use database::indexes::index_files::{self, IndexFile};
use model::{file_path::FilePath, prefix::NameRange, timestamp::Timestamp};

use crate::{
    House, Result, blocking,
    format::RepoIndexes,
    indexes::{
        IndexedRepo,
        assemble::{self, IndexContent},
    },
};

/// Files beyond this size have no parts.
const MAX_BYTES: i64 = 64 << 20;

/// A part is looked for in at most this many files.
const FILES: i64 = 16;

/// The parts of a file by path.
#[derive(Debug, Default)]
pub(crate) struct Parts(HashMap<String, Arc<IndexContent>>);

/// Finds a part. One whose path names its digest may be in a file that was replaced.
pub(super) async fn find(house: &House, repo: &IndexedRepo, path: &FilePath) -> Result<Option<Arc<IndexContent>>> {
    let Some(sources) = repo.indexes.part_of(path.as_str()) else { return Ok(None) };
    let is_lasting = repo.indexes.is_lasting_part(path.as_str());
    let rows = index_files::list_in(&house.db, repo.id(), &NameRange::beginning_with(&sources), FILES).await?;
    let is_read = |row: &IndexFile| row.size <= MAX_BYTES && (is_lasting || row.until.is_none());
    for row in rows.into_iter().filter(|row| repo.indexes.has_parts(&row.path) && is_read(row)) {
        let parts = house.index_caches.parts.get_or_insert_async(&row.id, make(house, repo, &row)).await?;
        if let Some(content) = parts.0.get(path.as_str()) {
            return Ok(Some(Arc::clone(content)));
        }
    }
    Ok(None)
}

async fn make(house: &House, repo: &IndexedRepo, row: &IndexFile) -> Result<Arc<Parts>> {
    let (text, at) = (assemble::text(house, row).await?, Timestamp::from_millis(row.created));
    let parts = list(repo.indexes, row.path.clone(), text).await?;
    let content = |(path, (bytes, is_lasting))| (path, Arc::new(IndexContent::in_memory(bytes, at, is_lasting)));
    Ok(Arc::new(Parts(parts.into_iter().map(content).collect())))
}

/// Makes the parts of a file. Each has its path, its bytes, and whether the path names their digest.
pub(super) async fn list(
    indexes: &'static dyn RepoIndexes,
    path: String,
    text: Vec<u8>,
) -> Result<Vec<(String, (Vec<u8>, bool))>> {
    let marked = |(path, bytes): (String, Vec<u8>)| {
        let is_lasting = indexes.is_lasting_part(&path);
        (path, (bytes, is_lasting))
    };
    blocking::run(move || indexes.parts(&path, &text).into_iter().map(marked).collect()).await
}
