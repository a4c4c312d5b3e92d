//! Work on indexes that no request waits for.

use std::collections::{BTreeMap, BTreeSet};

use database::{
    ScopedFutureExt,
    catalogue::repos,
    indexes::{changes, heads},
};
use model::id::RepoId;

use crate::{
    Caller, House, Result,
    indexes::{IndexedRepo, build::Purpose, purge, settle::settle_repo},
    signing::SigningOptions,
};

/// The number of repositories that one run of the job looks for, of each kind of work.
const REPOS: i64 = 100;

/// Builds indexes that are due: of repositories without a generation, with changes that requests have left, with
/// documents that expire, and with many small blocks. Deletes what no reader needs.
pub(crate) async fn build_due(house: &House) -> Result<()> {
    purge::delete_unneeded(house).await?;
    let now = house.clock.now();
    let mut due: BTreeMap<RepoId, Purpose> = BTreeMap::new();
    due.extend(house.index_caches.take_scattered().into_iter().map(|id| (id, Purpose::Compact)));
    due.extend(heads::list_to_seal(&house.db, now, REPOS).await?.into_iter().map(|id| (id, Purpose::Seal)));
    let changed = house.index_caches.look(find_changed(house).await?);
    let unbuilt = heads::list_unbuilt(&house.db, REPOS).await?;
    for id in changed.into_iter().chain(unbuilt) {
        due.entry(id).or_insert(Purpose::Changes);
    }
    build(house, due).await
}

/// Builds the indexes of repositories whose formats have just learned them, or render them differently from before.
pub(crate) async fn find_outdated(house: &House) -> Result<()> {
    for format in house.formats {
        let Some(indexes) = format.repo_indexes() else { continue };
        let mut built: BTreeSet<RepoId> = BTreeSet::new();
        loop {
            let mut found = heads::list_outdated(&house.db, format.name(), indexes.edition(), REPOS).await?;
            found.retain(|id| built.insert(*id));
            if found.is_empty() {
                break;
            }
            build(house, found.into_iter().map(|id| (id, Purpose::Changes)).collect()).await?;
        }
    }
    Ok(())
}

/// One change of each repository that has any.
async fn find_changed(house: &House) -> Result<BTreeMap<RepoId, i64>> {
    let (mut found, mut last) = (BTreeMap::new(), RepoId::new(0));
    while let Some(repo_id) = changes::next_repo(&house.db, last).await? {
        if let Some(id) = changes::find_any(&house.db, repo_id).await? {
            found.insert(repo_id, id);
        }
        last = repo_id;
    }
    Ok(found)
}

/// Builds the indexes of these repositories. One that fails delays no other.
async fn build(house: &House, due: BTreeMap<RepoId, Purpose>) -> Result<()> {
    let mut outcome = Ok(());
    for (repo_id, purpose) in due {
        let Some(found) = repos::list_by_ids(&house.db, &[repo_id], None).await?.into_iter().next() else {
            house.db.write(|tx| changes::delete_of_repo(tx, repo_id).scope_boxed()).await?;
            continue;
        };
        let Some(repo) = IndexedRepo::of(house.format(&found.repo.kind), found.repo) else { continue };
        let built = settle_repo(house, &Caller::job(), &repo, &SigningOptions::default(), purpose).await;
        outcome = outcome.and(built.map(|_| ()));
    }
    outcome
}
