//! Fills the repository past the server, which is not running.

use std::time::Duration;

use database::{Database, Options, ScopedFutureExt, testing::bulk};

use crate::catalogue::{REPO, packages};
use crate::house::find_repo;
use xtask::failure::{Attempt, Result};
use xtask::signals::Signals;

/// Packages of one statement: SQLite looks up each argument of one among all others.
const BATCH: u64 = 20;

/// Packages of one transaction.
const TRANSACTION: u64 = 10_000;

/// The engine may take its time to tidy up.
const TIMEOUT: Duration = Duration::from_secs(3600);

/// Gives the repository so many packages.
pub(crate) async fn load(url: &str, count: u64, signals: &Signals) -> Result<()> {
    let options = Options { connections: 2, timeout: TIMEOUT, ..Options::default() };
    let db = Database::open(url, &options).await.attempt("cannot open the database")?;
    let repo_id = find_repo(&db, REPO).await?;
    bulk::prepare(&db).await.attempt("cannot prepare the database")?;
    for first in (0..count).step_by(usize::try_from(TRANSACTION).unwrap_or(usize::MAX)) {
        signals.check()?;
        let end = count.min(first + TRANSACTION);
        let written: database::Result<()> = db
            .write(|tx| {
                async move {
                    let mut next = first;
                    while next < end {
                        let batch = next..end.min(next + BATCH);
                        next = batch.end;
                        let loaded: Vec<_> = batch.map(|number| packages::loaded(number, repo_id)).collect();
                        bulk::insert(tx, &loaded).await?;
                    }
                    Ok(())
                }
                .scope_boxed()
            })
            .await;
        written.attempt("cannot load packages")?;
    }
    bulk::finish(&db, repo_id).await.attempt("cannot count the packages")
}
