//! Records the storage of repositories by day. A periodic job takes the samples, so that uploads have no extra cost.

use database::{
    ScopedFutureExt,
    usage::{self as rows, RepoUsage},
};
use model::{day::Day, id::RepoId};

use crate::{Error, House, Result};

/// The number of repositories per page.
const TOGETHER: i64 = 500;

/// Records today's storage of every repository where it has changed.
pub(crate) async fn record_storage(house: &House) -> Result<()> {
    let mut after = RepoId::NONE;
    loop {
        let day = Day::of(house.clock.now()).number();
        let listed = rows::list_storage(&house.db, after, TOGETHER).await?;
        let Some(last) = listed.last() else { return Ok(()) };
        after = last.repo_id;
        let is_changed = |repo: &&RepoUsage| repo.bytes != repo.last_bytes.unwrap_or_default();
        let changed: &Vec<&RepoUsage> = &listed.iter().filter(is_changed).collect();
        if !changed.is_empty() {
            write(house, day, changed).await?;
        }
    }
}

async fn write(house: &House, day: i64, changed: &[&RepoUsage]) -> Result<()> {
    house
        .db
        .write(|tx| {
            async move {
                for repo in changed {
                    rows::set_storage(tx, repo.repo_id, day, repo.bytes).await?;
                }
                Ok::<_, Error>(())
            }
            .scope_boxed()
        })
        .await
}
