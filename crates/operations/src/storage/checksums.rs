//! Checksums that are not computed when content is received: computed on first use, once for all simultaneous requests, and then stored.

use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use ::blobs::{Blobs, Hashes, ReceiveOptions};
use database::{Database, ScopedFutureExt, content::blobs, maintenance::job_leases};
use futures_util::{
    FutureExt, TryStreamExt,
    future::{BoxFuture, Shared},
};
use model::{blob::Blob, digest::hex, id::BlobId, timestamp::Timestamp};
use tokio::sync::Semaphore;

use crate::{Error, House, Result, blocking, storage::suspects::suspect};

/// The name of the job in its lease.
const JOB: &str = "checksums";

/// How long a node keeps its lease for one blob. If that takes longer, another node may compute the same checksums.
const LEASE_MS: i64 = 10 * 60 * 1_000;

/// The number of blobs whose checksums are computed in one run.
const AT_ONCE: i64 = 16;

/// The maximum number of blobs read at the same time on request.
const READING: usize = 4;

/// The maximum number of blobs that wait for that or are being read; further requests are rejected and may retry.
const WAITING: usize = 256;

/// The checksums of stored content besides its SHA-256, in hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExtraChecksums {
    /// The SHA-1.
    pub sha1: String,
    /// The MD5.
    pub md5: String,
    /// The SHA-512.
    pub sha512: String,
}

/// Returns the checksums that were not computed when the content was received.
#[boxed::future]
pub async fn extra(house: &House, blob: &Blob) -> Result<ExtraChecksums> {
    if let Some(sums) = known(blob) {
        return Ok(sums);
    }
    let computed = house.computing.join(house, blob)?.await;
    if matches!(computed, Err(Error::Damaged(_))) {
        suspect(house, blob);
    }
    computed
}

/// Returns the SHA-1, which only layers of images do not have at once.
#[boxed::future]
pub async fn sha1(house: &House, blob: &Blob) -> Result<String> {
    match &blob.sha1 {
        Some(sha1) => Ok(sha1.clone()),
        None => Ok(extra(house, blob).await?.sha1),
    }
}

/// Computes the missing checksums of some content, unless another node does; returns whether any were missing.
pub(crate) async fn catch_up(house: &House) -> Result<bool> {
    let without = blobs::list_without_md5(&house.db, AT_ONCE).await?;
    if without.is_empty() {
        return Ok(false);
    }
    let token = house.next_id();
    let computed = compute_missing(house, &without, token).await;
    let released: database::Result<()> = house.db.write(|tx| job_leases::release(tx, JOB, token).scope_boxed()).await;
    released?;
    computed.map(|()| true)
}

/// Computes the checksums of these blobs, as long as this node has the lease.
async fn compute_missing(house: &House, without: &[Blob], token: i64) -> Result<()> {
    for blob in without {
        if !lease(house, token).await? {
            return Ok(());
        }
        match extra(house, blob).await {
            // The blob is verified and withheld by another job; the others need not wait for that.
            Err(Error::Damaged(reason)) => tracing::warn!("computing checksums failed: {reason}"),
            other => drop(other?),
        }
    }
    Ok(())
}

/// Takes or renews the lease of this job; returns `false` while another node has it.
async fn lease(house: &House, token: i64) -> Result<bool> {
    let now = house.clock.now();
    let until = Timestamp::from_millis(now.millis() + LEASE_MS);
    let leased: database::Result<bool> =
        house.db.write(|tx| job_leases::lease(tx, JOB, token, now, until).scope_boxed()).await;
    Ok(leased?)
}

fn known(blob: &Blob) -> Option<ExtraChecksums> {
    Some(ExtraChecksums { sha1: blob.sha1.clone()?, md5: blob.md5.clone()?, sha512: blob.sha512.clone()? })
}

/// Checksums being computed. Each is a separate task, which continues when the requests that asked for it have ended.
#[derive(Clone)]
pub(crate) struct Computing {
    under_way: Arc<Mutex<HashMap<BlobId, Computed>>>,
    reading: Arc<Semaphore>,
}

type Computed = Shared<BoxFuture<'static, Result<ExtraChecksums>>>;

impl Default for Computing {
    fn default() -> Self {
        Self { under_way: Arc::default(), reading: Arc::new(Semaphore::new(READING)) }
    }
}

impl Computing {
    /// Joins the running computation, or starts one.
    fn join(&self, house: &House, blob: &Blob) -> Result<Computed> {
        let mut under_way = self.lock();
        if let Some(computed) = under_way.get(&blob.id) {
            return Ok(computed.clone());
        }
        if under_way.len() >= WAITING {
            return Err(Error::Unavailable("too many checksums are being computed".into()));
        }
        let (db, store, id) = (house.db.clone(), house.blobs.clone(), blob.id);
        let (reading, place) = (Arc::clone(&self.reading), ComputingGuard { computing: self.clone(), id });
        let task = tokio::spawn(async move {
            let _place = place;
            let _reading = reading.acquire().await.map_err(|error| Error::Internal(error.to_string()))?;
            compute_and_store(&db, &store, id).await
        });
        let joined = async move { task.await.unwrap_or_else(|error| Err(Error::Internal(error.to_string()))) };
        let computed = joined.boxed().shared();
        under_way.insert(id, computed.clone());
        Ok(computed)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<BlobId, Computed>> {
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Computing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Computing").field("under_way", &self.lock().len()).finish_non_exhaustive()
    }
}

/// Registers a blob whose checksums are being computed; when this is dropped, no request joins it any more.
struct ComputingGuard {
    computing: Computing,
    id: BlobId,
}

impl Drop for ComputingGuard {
    fn drop(&mut self) {
        self.computing.lock().remove(&self.id);
    }
}

async fn compute_and_store(db: &Database, store: &Blobs, id: BlobId) -> Result<ExtraChecksums> {
    // They may have been computed since the caller read the row.
    let blob = blobs::find(db, id).await?.ok_or_else(|| Error::Internal(format!("blob {id} has no row")))?;
    if let Some(sums) = known(&blob) {
        return Ok(sums);
    }
    let sums = compute(store, &blob).await?;
    let kept = &sums;
    db.write(|tx| blobs::set_extra_sums(tx, id, &kept.sha1, &kept.md5, &kept.sha512).scope_boxed()).await?;
    tracing::info!("computed the checksums of blob {}", blob.sha256);
    Ok(sums)
}

async fn compute(store: &Blobs, blob: &Blob) -> Result<ExtraChecksums> {
    let content = store.read(blob.sha256, None).await?;
    let content = content.ok_or_else(|| Error::damaged(blob.sha256))?;
    let missing = ReceiveOptions { sha1: blob.sha1.is_none(), md5: true, sha512: true, ..ReceiveOptions::SHA256 };
    let hashes = content.stream.map_err(Error::from).try_fold(Hashes::new(missing), async |mut hashes, piece| {
        // Runs outside the threads that answer requests: a megabyte takes some milliseconds.
        blocking::run(move || {
            hashes.update(&piece);
            hashes
        })
        .await
    });
    let sums = hashes.await?.finish();
    // Otherwise the checksums of damaged bytes would be stored as those of the content.
    if sums.sha256 != blob.sha256 {
        return Err(Error::damaged(blob.sha256));
    }
    Ok(ExtraChecksums {
        sha1: blob.sha1.clone().or_else(|| sums.sha1.map(|sum| hex(&sum))).unwrap_or_default(),
        md5: sums.md5.map(|sum| hex(&sum)).unwrap_or_default(),
        sha512: sums.sha512.map(|sum| hex(&sum)).unwrap_or_default(),
    })
}
