//! From a body to content that lies in the store, durably: no file has it yet.

use blobs::{BoxError, StageOptions, Staged, Sums};
use bytes::Bytes;
use database::{
    ScopedFutureExt,
    blobs::{self as rows, Blob, NewBlob},
};
use futures_util::{Stream, TryStreamExt};
use model::{digest::hex, file_path::FilePath};

use crate::{
    Error, House, Result,
    content::Expected,
    fault,
    format::{Facts, Format},
};

/// How often content is announced again that a collector is removing at the moment.
const ATTEMPTS: u32 = 20;

/// Up to this size the MD5 is computed at once; it takes as long as the other two checksums together.
const MD5_BYTES: u64 = 4 << 20;

/// Receives a body, checks it against what the client expects, and stores it.
pub(super) async fn receive<S, E>(house: &House, body: S, expected: &Expected) -> Result<Blob>
where
    S: Stream<Item = std::result::Result<Bytes, E>> + Send,
    E: Into<BoxError>,
{
    let options = StageOptions {
        max_bytes: house.policy.upload_bytes,
        md5: expected.md5.is_some() || expected.size.is_some_and(|size| size <= MD5_BYTES),
        sha512: expected.sha512.is_some(),
    };
    let staged = house.blobs.stage(body, options).await?;
    fault::point("upload: staged");
    if expected.has_sums() {
        expected.check(&staged)?;
    }
    match find_known(house, &staged, options).await? {
        Some(blob) => Ok(blob),
        None => keep(house, staged).await,
    }
}

/// Content that a file has already and that the store has not lost: nothing has to be announced or stored.
///
/// A collector may condemn it before the transaction of this upload takes it up, which then refuses.
async fn find_known(house: &House, staged: &Staged, options: StageOptions) -> Result<Option<Blob>> {
    let Some(blob) = rows::find_kept(&house.db, staged.digest()).await? else { return Ok(None) };
    let has_new_sums = blob.md5.is_none() && options.md5 || blob.sha512.is_none() && options.sha512;
    let is_known = !has_new_sums && staged.is_stored().await?;
    Ok(is_known.then_some(blob))
}

/// Announces staged bytes as a row, then stores them: whatever the store has, a row knows of.
pub(crate) async fn keep(house: &House, staged: Staged) -> Result<Blob> {
    let blob = announce(house, &staged).await?;
    fault::point("upload: announced");
    staged.commit().await?;
    fault::point("upload: stored");
    Ok(blob)
}

async fn announce(house: &House, sums: &Sums) -> Result<Blob> {
    let new = NewBlob {
        id: house.next_id(),
        sha256: sums.sha256,
        sha1: hex(&sums.sha1),
        md5: sums.md5.map(|sum| hex(&sum)),
        sha512: sums.sha512.map(|sum| hex(&sum)),
        size: i64::try_from(sums.size).unwrap_or(i64::MAX),
    };
    let (new, now) = (&new, house.clock.now());
    for attempt in 1..=ATTEMPTS {
        let announced = house.db.write(|tx| rows::announce(tx, new, now).scope_boxed()).await?;
        if let Some(id) = announced {
            let NewBlob { sha256, sha1, md5, sha512, size, .. } = new.clone();
            return Ok(Blob { id, sha256, sha1, md5, sha512, size });
        }
        tokio::time::sleep(std::time::Duration::from_millis(10 * u64::from(attempt))).await;
    }
    Err(Error::Unavailable("the same content is being removed right now".into()))
}

/// What the format finds in stored content, or why it refuses it.
pub(super) async fn inspect(
    house: &House,
    format: &'static dyn Format,
    path: &FilePath,
    blob: &Blob,
) -> Result<Option<Facts>> {
    let Some(limit) = format.inspected_bytes(path) else { return Ok(None) };
    let end = blob.size.unsigned_abs().min(limit as u64);
    let content = house.blobs.read(blob.sha256, Some(0..end)).await?;
    let content = content.ok_or_else(|| Error::Internal(format!("blob {} is not in the store", blob.sha256)))?;
    let bytes = content.stream.try_fold(Vec::new(), async |mut all, piece| {
        all.extend_from_slice(&piece);
        Ok(all)
    });
    format.inspect(path, &bytes.await?).map_err(|reason| Error::invalid("content", reason))
}
