//! Entries of streams that other streams have, too, such as packages for all architectures.

use std::collections::BTreeSet;

use database::indexes::{entries, streams::IndexStream};

use crate::{
    House, Result,
    format::RepoIndexes,
    indexes::{
        IndexedRepo,
        build::{CHANGES, FACTS_BYTES},
        diff::{self, WantedFiles},
    },
};

/// Adds the entries of shared streams to all streams with these names.
pub(super) fn copy(indexes: &dyn RepoIndexes, names: &BTreeSet<String>, wanted: &mut WantedFiles) {
    let mut copies = Vec::new();
    for ((id, stream), file) in &*wanted {
        for name in names.iter().filter(|name| *name != stream && indexes.shares(stream, name)) {
            copies.push(((*id, name.clone()), file.clone()));
        }
    }
    for (key, file) in copies {
        wanted.entry(key).or_insert(file);
    }
}

/// Adds the entries that new streams share with streams that exist. Returns the files that do not fit into memory: the
/// generations after this one add them.
pub(super) async fn begin(
    house: &House,
    repo: &IndexedRepo,
    known: &[IndexStream],
    wanted: &mut WantedFiles,
) -> Result<Vec<i64>> {
    let is_new = |name: &&String| !known.iter().any(|stream| stream.name == **name);
    let begun: BTreeSet<String> = wanted.keys().map(|(_, name)| name).filter(is_new).cloned().collect();
    let mut shared: BTreeSet<i64> = BTreeSet::new();
    for stream in known.iter().filter(|stream| begun.iter().any(|name| repo.indexes.shares(&stream.name, name))) {
        shared.extend(entries::list_files(&house.db, stream.id).await?);
    }
    let (now, later) = fitting(house, repo, shared.into_iter().collect()).await?;
    for ((id, stream), file) in diff::wanted(house, repo, &now).await? {
        for name in begun.iter().filter(|name| repo.indexes.shares(&stream, name)) {
            wanted.entry((id, name.clone())).or_insert_with(|| file.clone());
        }
    }
    Ok(later)
}

/// Splits files into those that one generation renders and the others.
async fn fitting(house: &House, repo: &IndexedRepo, mut ids: Vec<i64>) -> Result<(Vec<i64>, Vec<i64>)> {
    let most = usize::try_from(CHANGES).unwrap_or(usize::MAX).min(ids.len());
    let mut later = ids.split_off(most);
    let sizes = repo.facts_sizes(&house.db, &ids).await?;
    let mut bytes = 0;
    let fits = ids.iter().take_while(|id| {
        bytes += sizes.get(id).copied().unwrap_or(0);
        bytes <= FACTS_BYTES
    });
    let count = fits.count();
    later.extend(ids.split_off(count));
    Ok((ids, later))
}
