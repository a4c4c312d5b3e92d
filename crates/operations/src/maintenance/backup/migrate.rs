//! Moves a house to other stores.

use std::path::Path;

use database::{Database, maintenance::snapshot::Snapshot};
use model::timestamp::Timestamp;

use crate::{
    Error, House, Result,
    maintenance::{
        backup::{
            Summary,
            content::{BlobCopy, CopySummary},
            restore::{EmptyStores, Scratch},
        },
        garbage::{BlobTotals, Collector},
        verify::{Finding, Progress},
    },
};

/// Copies all rows and all content of an unused house to empty stores, and verifies them there. The source stays
/// unchanged. An interrupted migration can be started again.
pub async fn migrate(
    house: &House,
    stores: &EmptyStores<'_>,
    now: Timestamp,
    progress: &Progress,
    mut report: impl FnMut(Finding),
) -> Result<Summary> {
    let collector = Collector::wait(house).await?;
    let scratch = Scratch::create(stores.data, "migrate.tmp")?;
    let here = snapshot(&house.db, &scratch.0.join("here.db")).await?;
    stores.check_unused(&here).await?;
    let done = move_content(house, stores, &here, progress, &mut report).await?;
    stores.db.migrate(now).await?;
    stores.db.fill(&here).await?;
    let there = snapshot(stores.db, &scratch.0.join("there.db")).await?;
    if let Some(table) = here.find_difference(&there).await? {
        return Err(Error::Internal(format!("the new database has other rows in `{table}`: empty it and try again")));
    }
    drop(collector);
    Ok(Summary { rows: there.count_rows().await?, content: done.content, copied: done.copied })
}

/// Copies content, hashing it as it is read, and then hashes the copy in the new store.
async fn move_content(
    house: &House,
    stores: &EmptyStores<'_>,
    snapshot: &Snapshot,
    progress: &Progress,
    report: &mut impl FnMut(Finding),
) -> Result<CopySummary> {
    let copy = BlobCopy { from: &house.blobs, to: stores.blobs, rereads: true };
    let done = copy.all(snapshot, progress, report).await?;
    stores.blobs.wait_for_cleanups().await;
    if done.problems > 0 {
        return Err(Error::Internal(format!("{} blobs are missing or damaged: no row was moved", done.problems)));
    }
    let again = copy.all(snapshot, progress, report).await?;
    stores.blobs.wait_for_cleanups().await;
    if again.copied == BlobTotals::default() && again.problems == 0 {
        Ok(done)
    } else {
        Err(Error::Internal("the new store lost content that was written to it; try again".into()))
    }
}

/// Takes a checked snapshot of all rows of a database.
async fn snapshot(db: &Database, file: &Path) -> Result<Snapshot> {
    let snapshot = db.take_snapshot(file).await?;
    match snapshot.find_damage().await?.first() {
        None => Ok(snapshot),
        Some(damage) => Err(Error::Internal(format!("the rows are damaged: {damage}"))),
    }
}
