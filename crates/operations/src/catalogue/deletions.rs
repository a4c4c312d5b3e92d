//! Deletes repositories in two steps: a short transaction hides one, and a job deletes its rows, some at a time.
//!
//! A repository may have millions of rows, and SQLite has one writer: one large transaction would block all uploads. A
//! node that stops between two batches leaves a smaller repository, which any node goes on with.

use std::time::{Duration, Instant};

use database::{
    ScopedFutureExt, Tx,
    catalogue::{
        deleted_repos::{self, DeletedRepo},
        repo_rows::{self, LastFile},
        repos,
    },
    content::tombstones::{self, Closed},
};
use model::{id::SubjectId, repo::Repo, timestamp::Timestamp};

use crate::{
    House, Result,
    catalogue::{tombstones::is_bound, window},
    fault,
};

/// The pause after a batch is as long as the batch took, but no longer than this: other writers have half of the time.
const LONGEST_REST: Duration = Duration::from_secs(1);

/// Hides a repository from everyone. Its name is free at once, and its paths stay bound to their content.
pub(crate) async fn hide(tx: &mut Tx, house: &House, repo: &Repo, now: Timestamp) -> Result<()> {
    Ok(deleted_repos::hide(tx, repo, window::closed_before(house, repo, now), now).await?)
}

/// Hides all repositories of a subject that is about to be deleted.
pub(crate) async fn hide_of_owner(tx: &mut Tx, house: &House, owner_id: SubjectId, now: Timestamp) -> Result<()> {
    for repo in repos::list_of_owner(tx, owner_id).await? {
        hide(tx, house, &repo, now).await?;
    }
    Ok(())
}

/// Deletes the rows of hidden repositories until none is left that no other node works on.
pub(crate) async fn delete_rows(house: &House) -> Result<()> {
    loop {
        let began = Instant::now();
        if !delete_batch(house).await? {
            return Ok(());
        }
        fault::point("deletion: batch");
        tokio::time::sleep(began.elapsed().min(LONGEST_REST)).await;
    }
}

/// Deletes some rows of a hidden repository, or the repository itself if nothing else is left; returns whether there was
/// one.
async fn delete_batch(house: &House) -> Result<bool> {
    let now = house.clock.now();
    house
        .db
        .write(|tx| {
            async move {
                let Some(repo) = deleted_repos::lock_next(tx).await? else { return Ok(false) };
                let files = repo_rows::list_files(tx, repo.id).await?;
                if !files.is_empty() {
                    bind(tx, house, &repo, &files, now).await?;
                    repo_rows::delete_files(tx, &files).await?;
                } else if !repo_rows::delete_some(tx, repo.id).await? {
                    repos::delete(tx, repo.id).await?;
                }
                Ok(true)
            }
            .scope_boxed()
        })
        .await
}

/// Adds tombstones for those of these files whose upload window had closed when the repository was deleted.
async fn bind(tx: &mut Tx, house: &House, repo: &DeletedRepo, files: &[LastFile], now: Timestamp) -> Result<()> {
    let is_closed = |file: &&LastFile| file.first_published.is_some_and(|at| at < repo.closed_before);
    let closed = |file: &LastFile| Some(Closed { path: file.path.clone(), sha256: file.sha256.clone()? });
    let closed = files.iter().filter(is_closed).filter_map(closed);
    let closed: Vec<Closed> = closed.filter(|file| is_bound(house, &repo.kind, file)).collect();
    Ok(tombstones::insert(tx, (&repo.folded_owner, &repo.folded_repo), &closed, now).await?)
}
