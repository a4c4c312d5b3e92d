//! Compares the store with rows: everything in the store must have a row. A row is inserted before its bytes are
//! stored, and deleted after them.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use blobs::StoredBlob;
use database::maintenance::{garbage::MarkedBlob, verify::is_known};
use futures_util::TryStreamExt;
use model::id::BlobId;

use crate::{
    House, Result,
    maintenance::{
        garbage::Collector,
        verify::{Finding, Options},
    },
};

/// The number of concurrent look-ups.
const AT_ONCE: usize = 8;

/// Younger content is ignored, whatever the rows say.
const AGE: Duration = Duration::from_secs(3_600);

pub(super) async fn verify(house: &House, options: Options, report: &mut impl FnMut(Finding)) -> Result<()> {
    let collector = if options.removes_orphans { Some(Collector::wait(house).await?) } else { None };
    let now = UNIX_EPOCH + Duration::from_millis(house.clock.now().millis().unsigned_abs());
    let listed = house.blobs.list().map_err(crate::Error::from).map_ok(|stored| async move {
        let is_orphan = is_old(&stored, now) && is_orphan(house, &stored).await?;
        Ok(is_orphan.then_some(stored))
    });
    let mut orphans = listed.try_buffer_unordered(AT_ONCE);
    while let Some(found) = orphans.try_next().await? {
        let Some(stored) = found else { continue };
        let is_removed = match &collector {
            Some(collector) => collector.remove_orphan(marked(house, &stored)).await?,
            None => false,
        };
        report(Finding::Orphan { digest: stored.digest, bytes: stored.size, is_removed });
    }
    Ok(())
}

fn is_old(stored: &StoredBlob, now: SystemTime) -> bool {
    now.duration_since(stored.modified).is_ok_and(|age| age > AGE)
}

/// Whether the content has no row and still exists: a collector removes the bytes first and then the row.
async fn is_orphan(house: &House, stored: &StoredBlob) -> Result<bool> {
    if is_known(&house.db, stored.digest).await? {
        return Ok(false);
    }
    Ok(house.blobs.size(stored.digest).await?.is_some() && !is_known(&house.db, stored.digest).await?)
}

fn marked(house: &House, stored: &StoredBlob) -> MarkedBlob {
    let size = i64::try_from(stored.size).unwrap_or(i64::MAX);
    MarkedBlob { id: BlobId::new(house.next_id()), sha256: stored.digest, size, since: house.clock.now() }
}
