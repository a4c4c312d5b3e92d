//! Checksums that are slow to compute: on the first need, and then kept.

use database::{
    ScopedFutureExt,
    blobs::{self, Blob},
};
use futures_util::TryStreamExt;
use md5::Md5;
use model::digest::hex;
use sha2::{Digest, Sha512};

use crate::{Error, House, Result};

/// Blobs whose checksums are computed in one go.
const AT_ONCE: i64 = 16;

/// The MD5 and the SHA-512 of stored content, in hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlowSums {
    /// The MD5.
    pub md5: String,
    /// The SHA-512.
    pub sha512: String,
}

/// The checksums that were not computed when the content came.
pub async fn slow(house: &House, blob: &Blob) -> Result<SlowSums> {
    if let (Some(md5), Some(sha512)) = (blob.md5.clone(), blob.sha512.clone()) {
        return Ok(SlowSums { md5, sha512 });
    }
    let sums = compute(house, blob).await?;
    let kept = &sums;
    house.db.write(|tx| blobs::set_slow_sums(tx, blob.id, &kept.md5, &kept.sha512).scope_boxed()).await?;
    Ok(sums)
}

/// Computes what is missing of some content; says whether there was any.
pub(crate) async fn catch_up(house: &House) -> Result<bool> {
    let without = blobs::list_without_md5(&house.db, AT_ONCE).await?;
    for blob in &without {
        slow(house, blob).await?;
    }
    Ok(!without.is_empty())
}

async fn compute(house: &House, blob: &Blob) -> Result<SlowSums> {
    let content = house.blobs.read(blob.sha256, None).await?;
    let content = content.ok_or_else(|| Error::Internal(format!("blob {} is not in the store", blob.sha256)))?;
    let hashes = content.stream.map_err(Error::from).try_fold((Md5::new(), Sha512::new()), async |hashes, piece| {
        let (mut md5, mut sha512) = hashes;
        // Off the threads that answer requests: a megabyte takes four milliseconds.
        let hashed = tokio::task::spawn_blocking(move || {
            md5.update(&piece);
            sha512.update(&piece);
            (md5, sha512)
        });
        hashed.await.map_err(|error| Error::Internal(error.to_string()))
    });
    let (md5, sha512) = hashes.await?;
    Ok(SlowSums { md5: hex(&md5.finalize()), sha512: hex(&sha512.finalize()) })
}
