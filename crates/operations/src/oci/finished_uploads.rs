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
        leases::{lease, partial, receive, tidy, while_leased},
        pending::retain,
        push_access,
        uploads::{OpenUpload, check_quota},
    },
    storage::store,
};

/// Finishes an upload of which no piece has come before, with its whole content: needs no lease. The content is compared
/// with the digest and stored, and is then held for the image.
pub async fn finish_at_once<S, E>(
    house: &House,
    caller: &Caller,
    at: &PackageAddress,
    OpenUpload { access, upload }: OpenUpload,
    digest: Digest,
    body: S,
) -> Result<()>
where
    S: Stream<Item = std::result::Result<Bytes, E>> + Send,
    E: Into<BoxError>,
{
    let push = Push { house, caller, access: &access, at, digest };
    let pending = house.blobs.receive(body, options(house)).await?;
    push.check(pending.digest(), pending.size, &upload).await?;
    push.store(pending, &upload).await
}

/// Adds the last piece, and does the same. Must run to its end: otherwise, the record of an upload may stay without its
/// bytes.
pub async fn finish<S, E>(
    house: &House,
    caller: &Caller,
    at: &PackageAddress,
    OpenUpload { access, upload }: OpenUpload,
    digest: Digest,
    body: S,
) -> Result<()>
where
    S: Stream<Item = std::result::Result<Bytes, E>> + Send,
    E: Into<BoxError>,
{
    let push = Push { house, caller, access: &access, at, digest };
    let leased = lease(house, upload).await?;
    let before = partial(&leased);
    let whole = match receive(house, &leased, &before, body).await {
        Ok(whole) => whole,
        Err(error) => {
            leased.release().await;
            return Err(error);
        }
    };
    // A bucket copies a large layer for minutes.
    let stored = while_leased(house, &leased, push.store_pieces(&whole, &leased)).await;
    // Both have deleted the upload.
    if stored.is_ok() || matches!(stored, Err(Error::Conflict(_))) {
        leased.was_ended();
        tidy(house, &whole, None).await;
        tidy(house, &before, Some(&whole)).await;
    } else {
        leased.release().await;
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
