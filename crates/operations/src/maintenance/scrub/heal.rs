//! Heals content from another store that has it.

use blobs::{Blobs, Location, ReceiveOptions};
use model::{
    blob::{Blob, Check},
    id::BlobId,
};

use crate::{
    Error, House, Result,
    maintenance::scrub::{DamagedContent, examine::clear, list_damaged},
};

/// Heals content from a store; returns whether that succeeded. Accepts only bytes with the right digest.
pub(super) async fn from_store(house: &House, store: &Blobs, blob: &Blob) -> bool {
    match copy(house, store, blob).await {
        Ok(Some(check)) => clear(house, blob, check).await.is_ok(),
        Ok(None) => false,
        Err(error) => {
            tracing::warn!("healing blob {} from another store failed: {error}", blob.sha256);
            false
        }
    }
}

async fn copy(house: &House, store: &Blobs, blob: &Blob) -> Result<Option<Check>> {
    let Some(content) = store.read(blob.sha256, None).await? else { return Ok(None) };
    let options = ReceiveOptions { max_bytes: blob.size.unsigned_abs(), ..ReceiveOptions::SHA256 };
    let pending = house.blobs.receive(content.stream, options).await?;
    if pending.digest() != blob.sha256 {
        return Err(Error::Damaged(format!("its SHA-256 is {} there", pending.digest())));
    }
    let (_, stamp) = pending.commit_stamped().await?;
    Ok(Some(Check { at: house.clock.now(), stamp: stamp.number() }))
}

/// Heals all withheld content that another store has, such as a replica or the content of a backup. Reports for each
/// blob whether it was healed.
pub async fn heal_from(house: &House, location: Location, mut report: impl FnMut(&DamagedContent, bool)) -> Result<()> {
    let store = Blobs::open_to_read(location)?;
    let mut last = BlobId::NONE;
    loop {
        let page = list_damaged(house, last).await?;
        let Some(end) = page.last() else { return Ok(()) };
        last = end.damaged.blob.id;
        for listed in &page {
            report(listed, from_store(house, &store, &listed.damaged.blob).await);
        }
    }
}
