//! A pass over all content.

use database::{
    ScopedFutureExt,
    content::{blobs, damage},
    maintenance::{scrubs, verify::list_used},
};
use model::{
    blob::{Blob, BlobTotals, Check},
    id::BlobId,
    scrub::{Pass, Scrub},
    timestamp::Timestamp,
};

use crate::{
    House, Result,
    maintenance::{
        scrub::{ExaminationOutcome, examine::examine, pace::Pace},
        verify::Progress,
    },
};

/// The number of rows read at once, and of results written at once.
const BATCH: i64 = 32;

/// How long a node keeps its lease on the pass without recording progress: longer than the largest blob takes at the
/// slowest rate.
const LEASE_MS: i64 = 2 * 3_600_000;

/// The number of bytes after which progress is recorded, however few the blobs were.
const BATCH_BYTES: i64 = 256 << 20;

const DAY_MS: i64 = 24 * 3_600_000;

/// The pass, leased by this node.
struct LeasedPass<'h> {
    house: &'h House,
    token: i64,
    scrub: Scrub,
    pace: Pace,
}

impl<'h> LeasedPass<'h> {
    /// Takes the lease on the pass; `None` while another node has it, and while no pass is due.
    async fn begin(house: &'h House) -> Result<Option<Self>> {
        let (now, rules) = (house.clock.now(), &house.policy.scrub);
        if rules.period_days == 0 || !is_due(scrubs::find(&house.db).await?, now, rules.period_days) {
            return Ok(None);
        }
        let (token, until) = (house.next_id(), Timestamp::from_millis(now.millis() + LEASE_MS));
        let is_leased: bool = house.db.write(|tx| scrubs::lease(tx, token, now, until).scope_boxed()).await?;
        let Some(scrub) = scrubs::find(&house.db).await?.filter(|_| is_leased) else { return Ok(None) };
        let total = blobs::count_referenced(&house.db).await?.bytes;
        let pace = Pace::of(total.unsigned_abs(), rules.period_days.unsigned_abs(), rules.bytes_per_second);
        let scrub = if is_over(&scrub) { Scrub { started: now, ..start(scrub.last) } } else { scrub };
        Ok(Some(Self { house, token, scrub, pace }))
    }

    /// Examines the next batch; `false` at the end of the pass, and if another node has the lease by now.
    async fn step(&mut self) -> Result<bool> {
        let batch = list_used(&self.house.db, self.scrub.reached, BATCH).await?;
        let (is_end, mut right, mut bytes) = (batch.is_empty(), Vec::new(), 0);
        for blob in batch {
            right.extend(self.look(&blob).await?);
            bytes += blob.size;
            if bytes >= BATCH_BYTES {
                break;
            }
        }
        if is_end {
            self.end();
        }
        Ok(self.save(&right).await? && !is_end)
    }

    async fn look(&mut self, blob: &Blob) -> Result<Option<(BlobId, Check)>> {
        let outcome = examine(self.house, blob, self.pace).await?;
        let scrub = &mut self.scrub;
        scrub.reached = blob.id;
        scrub.read = scrub.read + BlobTotals { blobs: 1, bytes: blob.size };
        match outcome {
            ExaminationOutcome::Right(check) => Ok(Some((blob.id, check))),
            ExaminationOutcome::Healed => Ok(None),
            ExaminationOutcome::Damaged(_) => {
                scrub.damaged += 1;
                Ok(None)
            }
        }
    }

    fn end(&mut self) {
        let Scrub { started, read, damaged, .. } = self.scrub;
        let ended = self.house.clock.now();
        tracing::info!("scrub pass read {} blobs of {} bytes; {damaged} are damaged", read.blobs, read.bytes);
        self.scrub = Scrub { started, ..start(Some(Pass { started, ended, read, damaged })) };
    }

    async fn save(&self, right: &[(BlobId, Check)]) -> Result<bool> {
        let (token, scrub) = (self.token, &self.scrub);
        let until = Timestamp::from_millis(self.house.clock.now().millis() + LEASE_MS);
        let written = self.house.db.write(|tx| {
            async move {
                if !scrubs::advance(tx, token, until, scrub).await? {
                    return Ok(false);
                }
                for (id, check) in right {
                    damage::clear(tx, *id, *check).await?;
                }
                Ok::<_, database::Error>(true)
            }
            .scope_boxed()
        });
        Ok(written.await?)
    }

    /// Releases the lease, so that another node can continue.
    async fn release(self) -> Result<()> {
        let token = self.token;
        let released: database::Result<()> = self.house.db.write(|tx| scrubs::release(tx, token).scope_boxed()).await;
        Ok(released?)
    }
}

/// Continues the pass to its end, unless another node has its lease.
pub(crate) async fn continue_pass(house: &House) -> Result<()> {
    let Some(mut leased) = LeasedPass::begin(house).await? else { return Ok(()) };
    while leased.step().await? {}
    leased.release().await
}

/// A pass that has not examined anything yet.
fn start(last: Option<Pass>) -> Scrub {
    Scrub { started: Timestamp::EPOCH, reached: BlobId::NONE, read: BlobTotals::default(), damaged: 0, last }
}

/// Whether the pass has ended and the next one has not started.
fn is_over(scrub: &Scrub) -> bool {
    scrub.reached == BlobId::NONE && scrub.last.is_some_and(|last| last.started == scrub.started)
}

/// Whether a pass is unfinished, or the last one started at least a period ago.
fn is_due(scrub: Option<Scrub>, now: Timestamp, period_days: i64) -> bool {
    match scrub {
        Some(scrub) if is_over(&scrub) => now.millis() - scrub.started.millis() >= period_days * DAY_MS,
        _ => true,
    }
}

/// Examines all content now, as fast as the setting allows, and reports damaged and healed blobs. The periodic pass of
/// the nodes is not affected.
pub async fn run_now(
    house: &House,
    progress: &Progress,
    mut report: impl FnMut(&Blob, ExaminationOutcome),
) -> Result<()> {
    let mut last = BlobId::NONE;
    loop {
        let batch = list_used(&house.db, last, BATCH).await?;
        let Some(end) = batch.last() else { return Ok(()) };
        last = end.id;
        for blob in &batch {
            match examine(house, blob, Pace::fastest(house)).await? {
                ExaminationOutcome::Right(check) => {
                    let (id, written) = (blob.id, &check);
                    house.db.write(|tx| damage::clear(tx, id, *written).scope_boxed()).await?;
                }
                other => report(blob, other),
            }
            progress.add(blob.size.unsigned_abs());
        }
    }
}
