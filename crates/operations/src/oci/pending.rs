//! Content that waits for its manifest, and uploads that nobody continues.

use database::{
    ScopedFutureExt, Tx,
    oci::{
        pending_blobs,
        uploads::{self as rows, Upload},
    },
};
use model::{blob::Blob, id::RepoId, timestamp::Timestamp};

use crate::{
    Error, House, Result, fault,
    oci::leases::{lease, remove},
};

/// How long an upload waits for its next byte, and content for its manifest.
const ABANDONED_MS: i64 = 24 * 3_600_000;

/// The number of abandoned uploads removed in one run.
const SWEPT: i64 = 100;

/// Holds content for an image until a manifest uses it, and deletes the upload that it came with.
pub(super) async fn retain(
    house: &House,
    repo_id: RepoId,
    image: &str,
    blob: &Blob,
    upload: Option<&Upload>,
) -> Result<()> {
    let (id, now) = (blob.id, house.clock.now());
    let hold = async |tx: &mut Tx| {
        let held = pending_blobs::insert(tx, repo_id, image, id, now).await?;
        if let Some(upload) = upload.filter(|_| held) {
            rows::delete(tx, upload.id, upload.lease).await?;
        }
        Ok::<bool, database::Error>(held)
    };
    let held = house.db.write(|tx| hold(tx).scope_boxed()).await?;
    fault::point("image: blob held");
    if held { Ok(()) } else { Err(Error::Unavailable("the same content is being removed right now".into())) }
}

/// Removes uploads without a byte for a day, and holds of content that no manifest used within a day.
#[boxed::future]
pub async fn sweep(house: &House) -> Result<()> {
    let now = house.clock.now();
    let before = Timestamp::from_millis(now.millis() - ABANDONED_MS);
    for upload in rows::list_abandoned(&house.db, before, now, SWEPT).await? {
        if let Ok(leased) = lease(house, upload).await {
            remove(house, leased).await?;
        }
    }
    let ended = house.db.write(|tx| pending_blobs::delete_old(tx, before).scope_boxed()).await?;
    if ended > 0 {
        tracing::info!("{ended} pushed blobs were used by no manifest within a day");
    }
    Ok(())
}
