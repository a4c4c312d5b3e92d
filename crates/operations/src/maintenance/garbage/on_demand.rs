//! Collects on request, or previews a collection.

use database::maintenance::garbage::{self, SweepCursor};
use model::{blob::BlobTotals, timestamp::Timestamp};

use crate::{
    House, Result,
    catalogue::deletions,
    maintenance::garbage::{Collector, HOUR_MS, last_run},
};

/// The content that was or would be removed, and the content within its grace period.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Report {
    /// The content that is removed now.
    pub removed: BlobTotals,
    /// The content that will be removed when it has been unreferenced for the grace period.
    pub waiting: BlobTotals,
}

/// Removes all content that has been unreferenced for this many hours, after the rows of deleted repositories, which refer
/// to content.
#[boxed::future]
pub async fn collect(house: &House, grace_hours: i64) -> Result<Report> {
    deletions::delete_rows(house).await?;
    let collector = Collector::wait(house).await?;
    let mut removed = collector.finish().await?;
    let now = house.clock.now();
    collector.date(now).await?;
    let (until, mut place) = (before(now, grace_hours), Some(SweepCursor::START));
    while let Some(after) = place {
        let (batch, next) = collector.collect(after, until).await?;
        (removed, place) = (removed + batch, next);
    }
    last_run::record(house, removed).await;
    let waiting = garbage::count_unreferenced(&house.db, Timestamp::EPOCH, Timestamp::MAX).await?;
    Ok(Report { removed, waiting })
}

/// Returns what [`collect`] would remove now, without removing it.
#[boxed::future]
pub async fn preview(house: &House, grace_hours: i64) -> Result<Report> {
    let (db, first, last) = (&house.db, Timestamp::EPOCH, Timestamp::MAX);
    let due = match grace_hours {
        // Blobs without a date, or with one in the future, get the current date and are removed at once.
        0 => garbage::count_unreferenced(db, first, last).await?,
        hours => garbage::count_unreferenced(db, Timestamp::from_millis(1), before(house.clock.now(), hours)).await?,
    };
    let all = garbage::count_unreferenced(db, first, last).await?;
    let waiting = BlobTotals { blobs: all.blobs - due.blobs, bytes: all.bytes - due.bytes };
    Ok(Report { removed: garbage::count_marked(db).await? + due, waiting })
}

fn before(now: Timestamp, hours: i64) -> Timestamp {
    Timestamp::from_millis(now.millis() - hours * HOUR_MS)
}
