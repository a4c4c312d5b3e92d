//! Computes the checksums of stored content that its row has not, once for all simultaneous requests.

use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use ::blobs::{Blobs, Checksums, Hashes, ReceiveOptions};
use database::{Database, ScopedFutureExt, content::blobs};
use futures_util::{
    FutureExt, TryStreamExt,
    future::{BoxFuture, Shared},
};
use model::{blob::Blob, checksum::Algorithm, digest::hex, id::BlobId};
use tokio::sync::Semaphore;

use crate::{Error, House, Result, storage::priority::Priority};

/// The maximum number of blobs read at the same time.
const READING: usize = 4;

/// The maximum number of blobs that wait for that or are being read; further requests are rejected and may retry.
const WAITING: usize = 256;

/// Checksums being computed. Each is a separate task, which continues when the requests that asked for it have ended.
#[derive(Clone)]
pub(crate) struct Computing {
    under_way: Arc<Mutex<HashMap<Computation, Computed>>>,
    reading: Arc<Semaphore>,
}

/// What is computed: SHA-1 and MD5, if they are missing, and the SHA-512 only for those who ask for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Computation {
    blob_id: BlobId,
    with_sha512: bool,
    priority: Priority,
}

/// The content, with these checksums.
type Computed = Shared<BoxFuture<'static, Result<Blob>>>;

impl Default for Computing {
    fn default() -> Self {
        Self { under_way: Arc::default(), reading: Arc::new(Semaphore::new(READING)) }
    }
}

impl Computing {
    /// Joins the running computation, or starts one.
    pub(super) fn join(
        &self,
        house: &House,
        blob_id: BlobId,
        algorithm: Algorithm,
        priority: Priority,
    ) -> Result<impl Future<Output = Result<Blob>> + use<>> {
        let computation = Computation { blob_id, with_sha512: algorithm == Algorithm::Sha512, priority };
        let mut under_way = self.lock();
        if let Some(computed) = under_way.get(&computation) {
            return Ok(computed.clone());
        }
        if under_way.len() >= WAITING {
            return Err(Error::Unavailable("too many checksums are being computed".into()));
        }
        let (db, store) = (house.db.clone(), house.blobs.clone());
        let (reading, place) = (Arc::clone(&self.reading), ComputingGuard { computing: self.clone(), computation });
        let task = tokio::spawn(async move {
            let _place = place;
            let _reading = reading.acquire().await.map_err(|error| Error::Internal(error.to_string()))?;
            compute_and_store(&db, &store, computation).await
        });
        let joined = async move { task.await.unwrap_or_else(|error| Err(Error::Internal(error.to_string()))) };
        let computed = joined.boxed().shared();
        under_way.insert(computation, computed.clone());
        Ok(computed)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Computation, Computed>> {
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Computing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Computing").field("under_way", &self.lock().len()).finish_non_exhaustive()
    }
}

/// Registers a computation; when this is dropped, no request joins it any more.
struct ComputingGuard {
    computing: Computing,
    computation: Computation,
}

impl Drop for ComputingGuard {
    fn drop(&mut self) {
        self.computing.lock().remove(&self.computation);
    }
}

async fn compute_and_store(db: &Database, store: &Blobs, computation: Computation) -> Result<Blob> {
    let Computation { blob_id, with_sha512, priority } = computation;
    // They may have been computed since the caller read the row.
    let found = blobs::find(db, blob_id).await?;
    let mut blob = found.ok_or_else(|| Error::Internal(format!("blob {blob_id} has no row")))?;
    let (sha1, md5, sha512) = (blob.sha1.is_none(), blob.md5.is_none(), with_sha512 && blob.sha512.is_none());
    if !(sha1 || md5 || sha512) {
        return Ok(blob);
    }
    let missing = ReceiveOptions { sha1, md5, sha512, ..ReceiveOptions::SHA256 };
    let sums = compute(store, &blob, missing, priority).await?;
    blob.sha1 = blob.sha1.or(sums.sha1.map(|sum| hex(&sum)));
    blob.md5 = blob.md5.or(sums.md5.map(|sum| hex(&sum)));
    blob.sha512 = blob.sha512.or(sums.sha512.map(|sum| hex(&sum)));
    let computed = &blob;
    db.write(|tx| blobs::set_other_sums(tx, computed).scope_boxed()).await?;
    tracing::info!("computed the checksums of blob {}", blob.sha256);
    Ok(blob)
}

async fn compute(store: &Blobs, blob: &Blob, missing: ReceiveOptions, priority: Priority) -> Result<Checksums> {
    let content = store.read(blob.sha256, None).await?;
    let content = content.ok_or_else(|| Error::damaged(blob.sha256))?;
    let sums = priority.hash(content.stream.map_err(Error::from), Hashes::new(missing)).await?;
    // Otherwise the checksums of damaged bytes would be stored as those of the content.
    if sums.sha256 == blob.sha256 { Ok(sums) } else { Err(Error::damaged(blob.sha256)) }
}
