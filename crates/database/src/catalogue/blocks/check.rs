//! Checks that the name blocks match the packages, for the check of an installation.

use model::id::RepoId;
use scoped_futures::ScopedFutureExt;

use crate::{
    Database, Read, Result,
    catalogue::{
        blocks::{self, BlockBuilder, NameBlock, total},
        repos,
    },
    engine::statement::sql,
};

/// The number of rows in one statement: none takes long, however large the repository is.
const PART: i64 = 10_000;

/// Returns the repositories whose package counts do not match their packages.
pub async fn find_damage(db: &Database) -> Result<Vec<String>> {
    let (mut damage, mut last) = (Vec::new(), RepoId::NONE);
    loop {
        let part: Vec<RepoId> = db
            .all(sql!("SELECT id FROM repos WHERE id > $1 AND owner_id > 0 ORDER BY id LIMIT $2", last, PART))
            .await?;
        for id in &part {
            if !fits(db, *id).await? && !fits_for_sure(db, *id).await? {
                damage.push(format!("the counts of packages in repository {id} do not fit its packages"));
            }
        }
        match part.last() {
            Some(id) => last = *id,
            None => return Ok(damage),
        }
    }
}

/// Computes the blocks from the packages of a repository.
pub(crate) async fn expected(db: &dyn Read, repo_id: RepoId) -> Result<Vec<NameBlock>> {
    let (mut tally, mut last) = (BlockBuilder::default(), String::new());
    loop {
        let part: Vec<String> = db
            .all(sql!(
                "SELECT name FROM packages WHERE repo_id = $1 AND name > $2 ORDER BY name LIMIT $3",
                repo_id,
                &last,
                PART,
            ))
            .await?;
        part.iter().for_each(|name| tally.count(name));
        match part.into_iter().next_back() {
            Some(name) => last = name,
            None => return Ok(tally.finish()),
        }
    }
}

/// Checks again with the repository locked: a package that is added or deleted during the first check looks like
/// damage.
async fn fits_for_sure(db: &Database, repo_id: RepoId) -> Result<bool> {
    db.write(|tx| {
        async move {
            repos::lock(tx, repo_id).await?;
            fits(tx, repo_id).await
        }
        .scope_boxed()
    })
    .await
}

async fn fits(db: &dyn Read, repo_id: RepoId) -> Result<bool> {
    let expected = expected(db, repo_id).await?;
    let noted: Option<i64> = db.one(sql!("SELECT package_count FROM repos WHERE id = $1", repo_id)).await?;
    match noted {
        Some(noted) => Ok(noted == total(&expected) && blocks::list(db, repo_id).await? == expected),
        // The repository was deleted meanwhile, together with its packages.
        None => Ok(true),
    }
}
