//! Checksums that are not computed when content is received: computed on first use, once for all simultaneous requests,
//! and then stored. A job computes the MD5, which downloads have in their head, of content that has none.

use database::{ScopedFutureExt, content::blobs, maintenance::job_leases};
use model::{blob::Blob, checksum::Algorithm, timestamp::Timestamp};

use crate::{
    Error, House, Result,
    storage::{priority::Priority, suspects::suspect},
};

/// The name of the job in its lease.
const JOB: &str = "checksums";

/// How long a node keeps its lease for one blob. If that takes longer, another node may compute the same checksums.
const LEASE_MS: i64 = 10 * 60 * 1_000;

/// The number of blobs whose checksums are computed in one run.
const AT_ONCE: i64 = 16;

/// Returns a checksum of stored content in hexadecimal digits, and computes it if it is not known yet.
#[boxed::future]
pub async fn of(house: &House, blob: &Blob, algorithm: Algorithm) -> Result<String> {
    if let Some(sum) = known(blob, algorithm) {
        return Ok(sum);
    }
    let computed = compute(house, blob, algorithm, Priority::Request).await?;
    known(&computed, algorithm)
        .ok_or_else(|| Error::Internal(format!("blob {} has no {}", blob.sha256, algorithm.name())))
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
        match compute(house, blob, Algorithm::Md5, Priority::Background).await {
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

/// Returns the content with this checksum.
async fn compute(house: &House, blob: &Blob, algorithm: Algorithm, priority: Priority) -> Result<Blob> {
    let computed = house.computing.join(house, blob.id, algorithm, priority)?.await;
    if matches!(computed, Err(Error::Damaged(_))) {
        suspect(house, blob);
    }
    computed
}

fn known(blob: &Blob, algorithm: Algorithm) -> Option<String> {
    match algorithm {
        Algorithm::Md5 => blob.md5.clone(),
        Algorithm::Sha1 => blob.sha1.clone(),
        Algorithm::Sha256 => Some(blob.sha256.to_string()),
        Algorithm::Sha512 => blob.sha512.clone(),
    }
}
