//! The end of an upload: its content is stored and held for the image.

use blobs::{BoxError, PartialUpload, PendingBlob, ReceiveOptions};
use bytes::Bytes;
use database::{
    ScopedFutureExt,
    oci::uploads::{self as rows, Upload},
};
use futures_util::Stream;
use model::{address::PackageAddress, digest::Digest};

use crate::{
    Caller, Error, House, RepoAccess, Result,
    oci::{
        image_of,
        leases::{lease, partial, receive, release, tidy, while_leased},
        pending::retain,
        push_access,
        uploads::{check_quota, find},
    },
    storage::store,
};

/// Adds the last piece, compares the digest and stores the content, which is then held for the image.
pub async fn finish<S, E>(
    house: &House,
    caller: &Caller,
    at: &PackageAddress,
    token: &str,
    digest: Digest,
    body: S,
) -> Result<()>
where
    S: Stream<Item = std::result::Result<Bytes, E>> + Send,
    E: Into<BoxError>,
{
    let (access, upload) = find(house, caller, at, token).await?;
    let push = Push { house, caller, access: &access, at, digest };
    if upload.lease == 0 {
        return push.finish_at_once(&upload, body).await;
    }
    let start = upload.bytes.unsigned_abs();
    let leased = lease(house, upload, start).await?;
    let before = partial(&leased);
    let whole = match receive(house, &leased, &before, body).await {
        Ok(whole) => whole,
        Err(error) => {
            release(house, &leased).await;
            return Err(error);
        }
    };
    // A bucket copies a large layer for minutes.
    let stored = while_leased(house, &leased, push.store_pieces(&whole, &leased)).await;
    // Both have deleted the upload.
    if stored.is_ok() || matches!(stored, Err(Error::Conflict(_))) {
        tidy(house, &whole, None).await;
        tidy(house, &before, Some(&whole)).await;
    } else {
        release(house, &leased).await;
    }
    stored
}

/// The request that finishes an upload.
struct Push<'a> {
    house: &'a House,
    caller: &'a Caller,
    access: &'a RepoAccess,
    at: &'a PackageAddress,
    digest: Digest,
}

impl Push<'_> {
    /// Finishes an upload of which no piece has come before. It needs no lease: the request has the whole content.
    async fn finish_at_once<S, E>(&self, upload: &Upload, body: S) -> Result<()>
    where
        S: Stream<Item = std::result::Result<Bytes, E>> + Send,
        E: Into<BoxError>,
    {
        let pending = self.house.blobs.receive(body, options(self.house)).await?;
        self.check(pending.digest(), pending.size, upload).await?;
        self.store(pending, upload).await
    }

    /// Checks the pieces before they become content: those of an upload over a quota stay, and can be finished later.
    async fn store_pieces(&self, whole: &PartialUpload, leased: &Upload) -> Result<()> {
        self.check(whole.digest()?, whole.size, leased).await?;
        self.store(self.house.blobs.finish_partial(whole).await?, leased).await
    }

    /// Rejects content with another digest, or over a quota. An upload with another digest is deleted: its bytes cannot
    /// be taken back.
    async fn check(&self, found: Digest, bytes: u64, upload: &Upload) -> Result<()> {
        let Self { house, caller, access, digest, .. } = *self;
        let (id, lease) = (upload.id, upload.lease);
        if let Err(refused) = check_digest(found, digest) {
            house.db.write(|tx| rows::delete(tx, id, lease).scope_boxed()).await?;
            return Err(refused);
        }
        check_quota(house, caller, access, i64::try_from(bytes).unwrap_or(i64::MAX)).await
    }

    /// Stores the content and deletes the upload.
    async fn store(&self, pending: PendingBlob, upload: &Upload) -> Result<()> {
        let blob = store::commit_layer(self.house, pending).await?;
        retain(self.house, self.access.repo.id, &image_of(self.at), &blob, Some(upload)).await
    }
}

/// Stores content that comes in one request.
pub async fn store<S, E>(house: &House, caller: &Caller, at: &PackageAddress, digest: Digest, body: S) -> Result<()>
where
    S: Stream<Item = std::result::Result<Bytes, E>> + Send,
    E: Into<BoxError>,
{
    let access = push_access::check(house, &house.db, caller, at).await?;
    check_quota(house, caller, &access, 1).await?;
    let pending = house.blobs.receive(body, options(house)).await?;
    check_digest(pending.digest(), digest)?;
    let blob = store::commit_layer(house, pending).await?;
    retain(house, access.repo.id, &image_of(at), &blob, None).await
}

fn options(house: &House) -> ReceiveOptions {
    ReceiveOptions { max_bytes: house.policy.upload_bytes, ..ReceiveOptions::SHA256 }
}

/// Rejects content with another digest.
pub(super) fn check_digest(found: Digest, expected: Digest) -> Result<()> {
    if found == expected {
        return Ok(());
    }
    Err(Error::Conflict(format!("The digest of the content is sha256:{found}, not sha256:{expected}")))
}
