//! The steps of removing content.

use std::time::Duration;

use database::{
    CollectorLock, ScopedFutureExt,
    maintenance::garbage::{self, MarkedBlob, SweepCursor},
};
use futures_util::{StreamExt, stream};
use model::{blob::BlobTotals, id::BlobId, timestamp::Timestamp};

use crate::{Error, House, Result, fault};

/// The number of blobs marked at once: few, so that an upload of the same content waits only for a moment.
const BATCH: i64 = 16;

/// The number of rows dated at once.
const DATED: i64 = 200;

/// The number of concurrent removals.
const AT_ONCE: usize = 4;

/// How long requests of a collector that lost its lock may still be on their way to the store.
const QUIET: Duration = Duration::from_secs(60);

/// How long a collection on request waits for the lock.
const PATIENCE: Duration = Duration::from_secs(120);

/// The interval between attempts to take the lock.
const ASK_EVERY: Duration = Duration::from_millis(200);

/// A collector that has the collector lock.
pub(crate) struct Collector<'h> {
    house: &'h House,
    turn: CollectorLock,
}

impl<'h> Collector<'h> {
    /// Takes the lock; `None` while another collector, or a backup, has it.
    pub(crate) async fn begin(house: &'h House) -> Result<Option<Self>> {
        Ok(house.db.lock_collector().await?.map(|turn| Self { house, turn }))
    }

    /// Waits for the lock, up to a limit.
    pub(crate) async fn wait(house: &'h House) -> Result<Self> {
        let asked = async {
            loop {
                if let Some(collector) = Self::begin(house).await? {
                    return Ok(collector);
                }
                tokio::time::sleep(ASK_EVERY).await;
            }
        };
        let busy = || Error::Unavailable("another collector or a backup is running; try again later".into());
        tokio::time::timeout(PATIENCE, asked).await.unwrap_or_else(|_| Err(busy()))
    }

    /// Removes blobs that other collectors have marked but not removed.
    pub(crate) async fn finish(&self) -> Result<BlobTotals> {
        let (mut removed, mut last) = (BlobTotals::default(), BlobId::NONE);
        loop {
            let begun = garbage::list_marked(&self.house.db, last, BATCH).await?;
            let Some(end) = begun.last() else { return Ok(removed) };
            last = end.id;
            self.wait_until_quiet(&begun).await;
            removed = removed + self.remove(&begun).await?;
        }
    }

    /// Sets the time since when newly unreferenced blobs are unreferenced.
    pub(crate) async fn date(&self, now: Timestamp) -> Result<()> {
        while self.house.db.write(|tx| garbage::date(tx, now, DATED).scope_boxed()).await? > 0 {}
        Ok(())
    }

    /// Removes a batch of blobs that have been unreferenced since this time or longer, starting after a cursor; returns
    /// the next cursor.
    pub(crate) async fn collect(
        &self,
        after: SweepCursor,
        until: Timestamp,
    ) -> Result<(BlobTotals, Option<SweepCursor>)> {
        let (house, now) = (self.house, self.house.clock.now());
        let batch = house.db.write(|tx| garbage::mark(tx, after, until, now, BATCH).scope_boxed()).await?;
        fault::point("garbage: condemned");
        Ok((self.remove(&batch.marked).await?, batch.next))
    }

    /// Removes content that the store has without a row; returns `false` if it has a row by now.
    pub(crate) async fn remove_orphan(&self, orphan: MarkedBlob) -> Result<bool> {
        let is_marked = self.house.db.write(|tx| garbage::mark_orphan(tx, orphan).scope_boxed()).await?;
        Ok(is_marked && self.remove(&[orphan]).await?.blobs == 1)
    }

    /// Removes marked content from the store, then its rows. Content that the store fails to remove is left for the
    /// next run.
    async fn remove(&self, marked: &[MarkedBlob]) -> Result<BlobTotals> {
        let removals = stream::iter(marked.to_vec()).map(|blob| self.remove_one(blob)).buffer_unordered(AT_ONCE);
        let removals: Vec<(MarkedBlob, Fate)> = removals.collect().await;
        fault::point("garbage: removed");
        self.settle(&removals).await?;
        fault::point("garbage: forgotten");
        let left = removals.iter().filter(|(_, fate)| *fate == Fate::Unknown).count();
        if left > 0 {
            // Stop marking blobs that cannot be removed: uploads of their content would be refused in the meantime.
            return Err(Error::Unavailable(format!(
                "{left} unreferenced blobs were not removed from the store; try again later"
            )));
        }
        let gone = removals.iter().filter(|(_, fate)| *fate == Fate::Gone);
        let amounts = gone.map(|(blob, _)| BlobTotals { blobs: 1, bytes: blob.size });
        Ok(amounts.fold(BlobTotals::default(), std::ops::Add::add))
    }

    async fn remove_one(&self, blob: MarkedBlob) -> (MarkedBlob, Fate) {
        let fate = if self.turn.is_held() { self.delete(blob).await } else { Fate::Unknown };
        (blob, fate)
    }

    async fn delete(&self, blob: MarkedBlob) -> Fate {
        match self.house.blobs.delete(blob.sha256).await {
            Ok(_) => {
                tracing::info!("removed unreferenced blob {} of {} bytes", blob.sha256, blob.size);
                Fate::Gone
            }
            Err(error @ blobs::Error::Broken { .. }) if self.is_whole(blob).await => {
                tracing::error!("removing unreferenced blob {} failed; it stays: {error}", blob.sha256);
                Fate::Refused
            }
            Err(error) => {
                tracing::warn!("removing unreferenced blob {} failed; the next run tries again: {error}", blob.sha256);
                Fate::Unknown
            }
        }
    }

    async fn is_whole(&self, blob: MarkedBlob) -> bool {
        matches!(self.house.blobs.size(blob.sha256).await, Ok(Some(size)) if size == blob.size.unsigned_abs())
    }

    async fn settle(&self, removals: &[(MarkedBlob, Fate)]) -> Result<()> {
        if removals.is_empty() {
            return Ok(());
        }
        let now = self.house.clock.now();
        let settled = self.house.db.write(|tx| {
            async move {
                for (blob, fate) in removals {
                    match fate {
                        Fate::Gone => garbage::delete_removed(tx, blob.id).await?,
                        Fate::Refused => garbage::spare(tx, blob.id, now).await?,
                        Fate::Unknown => {}
                    }
                }
                Ok::<_, database::Error>(())
            }
            .scope_boxed()
        });
        Ok(settled.await?)
    }

    /// Waits until no request of another collector can still reach the store.
    async fn wait_until_quiet(&self, begun: &[MarkedBlob]) {
        // A process that has ended no longer changes a folder, and its lock ended with it.
        if self.turn.ends_with_process() && self.house.blobs.folder().is_some() {
            return;
        }
        let latest = begun.iter().map(|blob| blob.since.millis()).max().unwrap_or_default();
        let age = u64::try_from(self.house.clock.now().millis() - latest).unwrap_or_default();
        let rest = QUIET.saturating_sub(Duration::from_millis(age));
        if !rest.is_zero() {
            tracing::warn!("another collector stopped; waiting {} s for its last requests to end", rest.as_secs());
            tokio::time::sleep(rest).await;
        }
    }
}

/// The outcome for marked content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// The store no longer has the content.
    Gone,
    /// The store has the content and refuses to remove it.
    Refused,
    /// The store may or may not have the content.
    Unknown,
}
