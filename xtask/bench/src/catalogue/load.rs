//! Fills the repository directly in the database, while the server is not running.

use std::ops::Range;
use std::time::Duration;

use database::{Database, Options, ScopedFutureExt, testing::bulk};

use crate::catalogue::packages;
use crate::house::find_repo;
use xtask::failure::{Attempt, Result};
use xtask::signals::Signals;

/// The number of packages per statement: SQLite looks up each argument of a statement among all others.
const BATCH: u64 = 20;

/// The number of packages per transaction.
const TRANSACTION: u64 = 10_000;

/// The time-out of statements: the final step of the bulk load may take long.
const TIMEOUT: Duration = Duration::from_secs(3600);

/// Inserts the packages with these numbers into the owner's repository.
pub(crate) async fn load(url: &str, repo: &str, numbers: Range<u64>, signals: &Signals) -> Result<()> {
    let options = Options { connections: 2, timeout: TIMEOUT, ..Options::default() };
    let db = Database::open(url, &options).await.attempt("cannot open the database")?;
    let repo_id = find_repo(&db, repo).await?;
    let dropped = bulk::prepare(&db).await.attempt("cannot prepare the database")?;
    for first in numbers.clone().step_by(usize::try_from(TRANSACTION).unwrap_or(usize::MAX)) {
        signals.check()?;
        let end = numbers.end.min(first + TRANSACTION);
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
    bulk::finish(&db, repo_id, dropped).await.attempt("cannot count the packages")
}
