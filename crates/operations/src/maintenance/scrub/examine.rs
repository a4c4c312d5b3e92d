//! Examines one blob: reads it, and heals or else withholds it if it is damaged.

use std::sync::atomic::Ordering;

use blobs::Stamp;
use database::{ScopedFutureExt, content::damage, maintenance::verify::list_users};
use model::blob::{Blob, Check};

use crate::{
    House, Result, fault,
    maintenance::{
        scrub::{heal, pace::Pace},
        verify::{Flaw, read_flaw},
    },
};

/// The number of files named in a log line.
const NAMED: usize = 5;

/// The result of examining a blob.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExaminationOutcome {
    /// The bytes are correct.
    Right(Check),
    /// The bytes were damaged, and are correct again.
    Healed,
    /// The bytes are damaged, and the blob is withheld.
    Damaged(String),
}

/// Reads a blob, and heals or withholds it if it is damaged. The caller records the check of an intact blob.
pub(super) async fn examine(house: &House, blob: &Blob, pace: Pace) -> Result<ExaminationOutcome> {
    let stamp = house.blobs.stamp(blob.sha256).await?;
    let mut flaw = read(house, blob, pace).await?;
    if flaw.is_some() {
        // Read it again: it may just have been stored again, or its files were deleted and the content with them.
        flaw = read(house, blob, pace).await?;
    }
    if let Some(flaw) = flaw {
        // A store that does not work says nothing about its content.
        house.blobs.check().await?;
        return withhold(house, blob, &flaw.to_string()).await;
    }
    // Without a stamp, the blob was stored during the examination, and the check is not trusted for long.
    let check = Check { at: house.clock.now(), stamp: stamp.map_or(0, Stamp::number) };
    if blob.is_damaged {
        clear(house, blob, check).await?;
        return Ok(ExaminationOutcome::Healed);
    }
    Ok(ExaminationOutcome::Right(check))
}

/// Reads the whole blob, and counts the bytes.
async fn read(house: &House, blob: &Blob, pace: Pace) -> Result<Option<Flaw>> {
    let flaw = read_flaw(house, blob, pace.bytes_per_second()).await?;
    house.suspects.read_bytes.fetch_add(blob.size.unsigned_abs(), Ordering::Relaxed);
    Ok(flaw)
}

/// Heals the blob from the replica, if one is configured and has it; otherwise withholds it.
async fn withhold(house: &House, blob: &Blob, reason: &str) -> Result<ExaminationOutcome> {
    if let Some(replica) = &house.replica
        && heal::from_store(house, replica, blob).await
    {
        return Ok(ExaminationOutcome::Healed);
    }
    fault::point("scrub: damaged");
    let now = house.clock.now();
    let is_new = house.db.write(|tx| damage::mark(tx, blob, reason, now).scope_boxed()).await?;
    fault::point("scrub: withheld");
    if is_new {
        let users = list_users(&house.db, blob.id).await?;
        let (named, more) = (users.iter().take(NAMED).cloned().collect::<Vec<_>>(), users.len().saturating_sub(NAMED));
        let files = named.join(", ");
        tracing::error!("blob {} is damaged and withheld: {reason}; used by {files} and {more} more", blob.sha256);
    }
    Ok(ExaminationOutcome::Damaged(reason.to_owned()))
}

/// Makes a withheld blob available again.
pub(super) async fn clear(house: &House, blob: &Blob, check: Check) -> Result<()> {
    let cleared: database::Result<()> = house.db.write(|tx| damage::heal(tx, blob.id, check).scope_boxed()).await;
    cleared?;
    tracing::info!("blob {} is intact again", blob.sha256);
    Ok(())
}
