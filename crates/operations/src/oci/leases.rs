//! The leases of requests on uploads: one request at a time adds bytes.

use std::{ops::Deref, time::Duration};

use blobs::{BoxError, PartialUpload};
use bytes::Bytes;
use database::{
    Database, ScopedFutureExt,
    oci::uploads::{self as rows, NewLease, Upload},
};
use futures_util::Stream;
use model::{lease::LeaseNumber, timestamp::Timestamp};
use tokio::runtime::Handle;

use crate::{Error, House, Result};

/// How long a lease holds without a sign of life.
const LEASE_MS: i64 = 30_000;

/// How often a lease is renewed.
const RENEW_EVERY: Duration = Duration::from_secs(10);

/// A leased upload. The lease ends when this is dropped, too: a client that hangs up drops its request.
pub(super) struct Leased {
    upload: Upload,
    db: Database,
    has_ended: bool,
}

impl Leased {
    /// Ends the lease without a change.
    pub(super) async fn release(mut self) {
        self.has_ended = true;
        release(&self.db, self.upload.id, self.upload.lease).await;
    }

    /// Says that a change of the upload has ended the lease.
    pub(super) fn was_ended(mut self) {
        self.has_ended = true;
    }
}

impl Deref for Leased {
    type Target = Upload;

    fn deref(&self) -> &Upload {
        &self.upload
    }
}

impl Drop for Leased {
    fn drop(&mut self) {
        let (db, id, lease) = (self.db.clone(), self.upload.id, self.upload.lease);
        if !self.has_ended
            && let Ok(runtime) = Handle::try_current()
        {
            drop(runtime.spawn(async move { release(&db, id, lease).await }));
        }
    }
}

/// Leases an upload that is as it was found. A lease of an earlier run of this node has ended with that run.
pub(super) async fn lease(house: &House, upload: Upload) -> Result<Leased> {
    let (now, run, asked) = (house.clock.now(), &house.node.run, &upload);
    let ended = if run.is_over(LeaseNumber::from_number(upload.lease)) { Timestamp::MAX } else { now };
    let new = NewLease { number: run.next_lease(), ended, until: lease_end(now) };
    let leased = house.db.write(|tx| rows::lease(tx, asked, new).scope_boxed()).await?;
    if !leased {
        return Err(taken_over());
    }
    let upload = Upload { lease: new.number.number(), ..upload };
    Ok(Leased { upload, db: house.db.clone(), has_ended: false })
}

fn lease_end(now: Timestamp) -> Timestamp {
    Timestamp::from_millis(now.millis() + LEASE_MS)
}

/// Receives a piece under a lease.
pub(super) async fn receive<S, E>(
    house: &House,
    leased: &Upload,
    before: &PartialUpload,
    body: S,
) -> Result<PartialUpload>
where
    S: Stream<Item = std::result::Result<Bytes, E>> + Send,
    E: Into<BoxError>,
{
    let receiving = house.blobs.append_partial(before, body, house.policy.upload_bytes);
    while_leased(house, leased, async { Ok(receiving.await?) }).await
}

/// Does what may take longer than a lease holds, and renews the lease meanwhile.
pub(super) async fn while_leased<T>(
    house: &House,
    leased: &Upload,
    work: impl Future<Output = Result<T>> + Send,
) -> Result<T> {
    let renewing = async {
        loop {
            tokio::time::sleep(RENEW_EVERY).await;
            let (id, lease, until) = (leased.id, leased.lease, lease_end(house.clock.now()));
            if !house.db.write(|tx| rows::renew(tx, id, lease, until).scope_boxed()).await? {
                return Err(taken_over());
            }
        }
    };
    tokio::select! {
        done = work => done,
        lost = renewing => lost,
    }
}

async fn release(db: &Database, id: i64, lease: i64) {
    if let Err(error) = db.write(|tx| rows::release(tx, id, lease).scope_boxed()).await {
        tracing::warn!("ending the lease of an upload failed; it ends by itself: {error}");
    }
}

/// Removes an upload with everything that the store has of it.
pub(super) async fn remove(house: &House, leased: Leased) -> Result<()> {
    let (id, lease) = (leased.id, leased.lease);
    house.db.write(|tx| rows::delete(tx, id, lease).scope_boxed()).await?;
    let bytes = partial(&leased);
    leased.was_ended();
    tidy(house, &bytes, None).await;
    Ok(())
}

/// Removes bytes that no record names any more. What stays is swept like other temporaries.
pub(super) async fn tidy(house: &House, upload: &PartialUpload, later: Option<&PartialUpload>) {
    if let Err(error) = house.blobs.discard_partial(upload, later).await {
        tracing::warn!("removing the bytes of an upload failed; the next sweep removes them: {error}");
    }
}

/// The upload as the store knows it.
pub(super) fn partial(upload: &Upload) -> PartialUpload {
    let Upload { place, bytes, states, .. } = upload.clone();
    PartialUpload { place, size: bytes.unsigned_abs(), states }
}

/// The error for an upload that another request has leased or continued.
pub(super) fn taken_over() -> Error {
    Error::Unavailable("another request continues the upload".into())
}
