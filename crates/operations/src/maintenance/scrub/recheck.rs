//! Examines content that looks damaged, and content that is withheld.

use std::sync::atomic::{AtomicI64, Ordering};

use database::content::{blobs, damage};
use model::id::BlobId;

use crate::{
    House, Result,
    maintenance::scrub::{ExaminationOutcome, examine::examine, pace::Pace},
};

/// The number of withheld blobs examined at once.
const WITHHELD: i64 = 64;

/// The id of the withheld blob that was examined last; the next run starts after it.
#[derive(Debug, Default)]
pub(crate) struct WithheldCursor(AtomicI64);

/// Reads content that looked damaged to a reader, and decides whether it is.
pub(crate) async fn examine_suspects(house: &House) -> Result<()> {
    for id in house.suspects.take() {
        if let Some(blob) = blobs::find(&house.db, id).await? {
            examine(house, &blob, Pace::fastest(house)).await?;
        }
    }
    Ok(())
}

/// Examines the next page of withheld content: an operator may have restored it in the store.
pub(crate) async fn examine_withheld(house: &House) -> Result<()> {
    // If some of it is intact again, more probably is: a disk was unavailable.
    while examine_page(house).await? {}
    Ok(())
}

/// Examines the next page. Returns whether some of it is intact again.
async fn examine_page(house: &House) -> Result<bool> {
    let cursor = &house.withheld.0;
    let page = damage::list(&house.db, BlobId::new(cursor.load(Ordering::Relaxed)), WITHHELD).await?;
    let mut has_healed = false;
    for damaged in &page {
        has_healed |= examine(house, &damaged.blob, Pace::fastest(house)).await? == ExaminationOutcome::Healed;
    }
    cursor.store(page.last().map_or(BlobId::NONE, |damaged| damaged.blob.id).get(), Ordering::Relaxed);
    Ok(has_healed)
}
