//! Checksums that are slow to compute: on the first need, once however many ask, and then kept.

use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use ::blobs::Blobs;
use database::{
    Database, ScopedFutureExt,
    content::blobs::{self, Blob},
};
use futures_util::{
    FutureExt, TryStreamExt,
    future::{BoxFuture, Shared},
};
use md5::Md5;
use model::digest::hex;
use sha2::{Digest, Sha256, Sha512};
use tokio::sync::Semaphore;

use crate::{Error, House, Result, blocking, storage::suspects::suspect};

/// Blobs whose checksums are computed in one go.
const AT_ONCE: i64 = 16;

/// Blobs that are read at the same time because somebody asks.
const READING: usize = 4;

/// Blobs that wait for that or are read; who asks for more is told to come back.
const WAITING: usize = 256;

/// The MD5 and the SHA-512 of stored content, in hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExtraChecksums {
    /// The MD5.
    pub md5: String,
    /// The SHA-512.
    pub sha512: String,
}

/// The checksums that were not computed when the content came.
pub async fn slow(house: &House, blob: &Blob) -> Result<ExtraChecksums> {
    if let Some(sums) = known(blob) {
        return Ok(sums);
    }
    let computed = house.computing.join(house, blob)?.await;
    if matches!(computed, Err(Error::Damaged(_))) {
        suspect(house, blob);
    }
    computed
}

/// Computes what is missing of some content; says whether there was any.
pub(crate) async fn catch_up(house: &House) -> Result<bool> {
    let without = blobs::list_without_md5(&house.db, AT_ONCE).await?;
    for blob in &without {
        match slow(house, blob).await {
            // It is looked at and withheld; the others need not wait for that.
            Err(Error::Damaged(reason)) => tracing::warn!("computing checksums failed: {reason}"),
            other => drop(other?),
        }
    }
    Ok(!without.is_empty())
}

fn known(blob: &Blob) -> Option<ExtraChecksums> {
    Some(ExtraChecksums { md5: blob.md5.clone()?, sha512: blob.sha512.clone()? })
}

/// Checksums that are being computed. Each is a task of its own, which goes on when those who asked have gone.
#[derive(Clone)]
pub(crate) struct Computing {
    under_way: Arc<Mutex<HashMap<i64, Computed>>>,
    reading: Arc<Semaphore>,
}

type Computed = Shared<BoxFuture<'static, Result<ExtraChecksums>>>;

impl Default for Computing {
    fn default() -> Self {
        Self { under_way: Arc::default(), reading: Arc::new(Semaphore::new(READING)) }
    }
}

impl Computing {
    /// What somebody computes already, or from now on.
    fn join(&self, house: &House, blob: &Blob) -> Result<Computed> {
        let mut under_way = self.lock();
        if let Some(computed) = under_way.get(&blob.id) {
            return Ok(computed.clone());
        }
        if under_way.len() >= WAITING {
            return Err(Error::Unavailable("too many checksums are being computed".into()));
        }
        let (db, store, id) = (house.db.clone(), house.blobs.clone(), blob.id);
        let (reading, place) = (Arc::clone(&self.reading), Place { computing: self.clone(), id });
        let task = tokio::spawn(async move {
            let _place = place;
            let _reading = reading.acquire().await.map_err(|error| Error::Internal(error.to_string()))?;
            compute_and_keep(&db, &store, id).await
        });
        let joined = async move { task.await.unwrap_or_else(|error| Err(Error::Internal(error.to_string()))) };
        let computed = joined.boxed().shared();
        under_way.insert(id, computed.clone());
        Ok(computed)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<i64, Computed>> {
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Computing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Computing").field("under_way", &self.lock().len()).finish_non_exhaustive()
    }
}

/// Content whose checksums are being computed; nobody joins any more when this is dropped.
struct Place {
    computing: Computing,
    id: i64,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.computing.lock().remove(&self.id);
    }
}

async fn compute_and_keep(db: &Database, store: &Blobs, id: i64) -> Result<ExtraChecksums> {
    // Others may have been done between the caller's look and now.
    let blob = blobs::find(db, id).await?.ok_or_else(|| Error::Internal(format!("blob {id} has no row")))?;
    if let Some(sums) = known(&blob) {
        return Ok(sums);
    }
    let sums = compute(store, &blob).await?;
    let kept = &sums;
    db.write(|tx| blobs::set_slow_sums(tx, id, &kept.md5, &kept.sha512).scope_boxed()).await?;
    tracing::info!("computed the MD5 and the SHA-512 of blob {}", blob.sha256);
    Ok(sums)
}

async fn compute(store: &Blobs, blob: &Blob) -> Result<ExtraChecksums> {
    let content = store.read(blob.sha256, None).await?;
    let content = content.ok_or_else(|| Error::damaged(blob.sha256))?;
    let none = (Md5::new(), Sha512::new(), Sha256::new());
    let hashes = content.stream.map_err(Error::from).try_fold(none, async |hashes, piece| {
        let (mut md5, mut sha512, mut sha256) = hashes;
        // Off the threads that answer requests: a megabyte takes four milliseconds.
        blocking::run(move || {
            md5.update(&piece);
            sha512.update(&piece);
            sha256.update(&piece);
            (md5, sha512, sha256)
        })
        .await
    });
    let (md5, sha512, sha256) = hashes.await?;
    // Checksums of damaged bytes would be kept for those of the content.
    if <[u8; 32]>::from(sha256.finalize()) != *blob.sha256.as_bytes() {
        return Err(Error::damaged(blob.sha256));
    }
    Ok(ExtraChecksums { md5: hex(&md5.finalize()), sha512: hex(&sha512.finalize()) })
}
