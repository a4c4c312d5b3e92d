//! Collects periodically, every few minutes, at a low rate.

use std::time::Duration;

use database::{ScopedFutureExt, events, maintenance::garbage::SweepCursor};
use model::{blob::BlobTotals, timestamp::Timestamp};
use tokio::time::Instant;

use crate::{
    Error, House, Result, ids,
    maintenance::garbage::{Collector, HOUR_MS, clock_watch::ClockWatch, last_run},
    runner::{Observe, Reporter},
    ticks,
};

/// The name of this job, and the interval at which a node looks for garbage.
pub(crate) const COLLECTOR: (&str, Duration) = ("garbage", Duration::from_secs(120));

/// The pause after each batch, which leaves the stores to requests.
const PAUSE: Duration = Duration::from_millis(100);

/// The number of batches per run: a run ends soon enough for others that wait for the lock.
const BATCHES: usize = 300;

/// The time after which events expire.
const EVENTS_MS: i64 = 90 * 24 * HOUR_MS;

/// The time after which transient events expire.
const TRANSIENT_EVENTS_MS: i64 = 24 * HOUR_MS;

/// The number of events deleted at once.
const DELETED_AT_ONCE: i64 = 500;

/// Runs the collector forever. The first run is immediate, and finishes the work of a collector that was stopped.
pub(crate) async fn run_collector(house: &House, observe: &Observe<'_>) {
    let (name, every) = COLLECTOR;
    let reporter = Reporter::new(name, observe);
    let mut watch = ClockWatch::new(house.clock.now(), Instant::now());
    let grace = Duration::from_secs(house.policy.garbage_grace_hours.unsigned_abs() * 3_600);
    let mut ticks = ticks::every(every);
    loop {
        ticks.tick().await;
        let is_trusted = watch.trusts(house.clock.now(), Instant::now(), grace);
        let removed = reporter.watch(run_once(house, is_trusted)).await;
        if let Some(BlobTotals { blobs, bytes }) = removed.filter(|removed| removed.blobs > 0) {
            tracing::info!("removed {blobs} unreferenced blobs of {bytes} bytes");
        }
    }
}

/// Runs once; does nothing while another process has the lock.
async fn run_once(house: &House, is_trusted: bool) -> Result<BlobTotals> {
    let Some(collector) = Collector::begin(house).await? else { return Ok(BlobTotals::default()) };
    let mut removed = collector.finish().await?;
    let now = house.clock.now();
    collector.date(now).await?;
    if is_trusted {
        delete_expired_events(house, now).await?;
        let until = Timestamp::from_millis(now.millis() - house.policy.garbage_grace_hours * HOUR_MS);
        let mut place = Some(SweepCursor::START);
        for _ in 0..BATCHES {
            let Some(after) = place else { break };
            let (batch, next) = collector.collect(after, until).await?;
            (removed, place) = (removed + batch, next);
            tokio::time::sleep(PAUSE).await;
        }
    }
    last_run::record(house, removed).await;
    Ok(removed)
}

async fn delete_expired_events(house: &House, now: Timestamp) -> Result<()> {
    let before = ids::before(Timestamp::from_millis(now.millis() - EVENTS_MS));
    let transient_before = Timestamp::from_millis(now.millis() - TRANSIENT_EVENTS_MS);
    for _ in 0..BATCHES {
        let deleted = house
            .db
            .write(|tx| {
                async move {
                    let deleted = events::delete_before(tx, before, DELETED_AT_ONCE).await?;
                    Ok::<_, Error>(
                        deleted + events::delete_transient_before(tx, transient_before, DELETED_AT_ONCE).await?,
                    )
                }
                .scope_boxed()
            })
            .await?;
        if deleted == 0 {
            break;
        }
        tokio::time::sleep(PAUSE).await;
    }
    Ok(())
}
