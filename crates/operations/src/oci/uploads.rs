//! Uploads in pieces: begun, continued, finished or cancelled by the caller who began them, on any node.

use blobs::{BoxError, PartialUpload, ReceiveOptions};
use bytes::Bytes;
use database::{
    ScopedFutureExt,
    oci::uploads::{self as rows, NewUpload, Upload},
};
use futures_util::Stream;
use model::{
    address::PackageAddress,
    digest::{Digest, hex},
};

use crate::{
    Caller, Error, House, RepoAccess, Result,
    accounts::storage_quotas::{self, By},
    fault,
    oci::{
        image_of,
        leases::{lease, partial, receive, release, remove, taken_over, tidy, while_leased},
        pending::retain,
        push_access,
    },
    storage::store,
};

/// Begins an upload and returns the secret name of its URL.
pub async fn begin(house: &House, caller: &Caller, at: &PackageAddress) -> Result<String> {
    let access = push_access::check(house, &house.db, caller, at).await?;
    check_quota(house, caller, &access, 1).await?;
    let partial = house.blobs.begin_partial();
    let new = &NewUpload {
        id: house.next_id(),
        token: hex(&house.entropy.bytes()[..16]),
        repo_id: access.repo.id,
        image: image_of(at),
        grantee_id: caller.grantee_id(),
        place: partial.place,
        states: partial.states,
    };
    let now = house.clock.now();
    house.db.write(|tx| rows::insert(tx, new, now).scope_boxed()).await?;
    Ok(new.token.clone())
}

/// Returns the number of bytes that an upload has.
pub async fn show(house: &House, caller: &Caller, at: &PackageAddress, token: &str) -> Result<u64> {
    let (_, upload) = find(house, caller, at, token).await?;
    Ok(upload.bytes.unsigned_abs())
}

/// Adds a piece to an upload that has this many bytes; returns the number of bytes after it.
pub async fn append<S, E>(
    house: &House,
    caller: &Caller,
    at: &PackageAddress,
    token: &str,
    start: u64,
    body: S,
) -> Result<u64>
where
    S: Stream<Item = std::result::Result<Bytes, E>> + Send,
    E: Into<BoxError>,
{
    let (_, upload) = find(house, caller, at, token).await?;
    let leased = lease(house, upload, start).await?;
    let before = partial(&leased);
    let appended = match receive(house, &leased, &before, body).await {
        Ok(appended) => appended,
        Err(error) => {
            release(house, &leased).await;
            return Err(error);
        }
    };
    fault::point("image: piece received");
    let after = &Upload {
        place: appended.place.clone(),
        bytes: i64::try_from(appended.size).unwrap_or(i64::MAX),
        states: appended.states.clone(),
        ..leased
    };
    let now = house.clock.now();
    if !house.db.write(|tx| rows::record(tx, after, now).scope_boxed()).await? {
        return Err(taken_over());
    }
    tidy(house, &before, Some(&appended)).await;
    Ok(appended.size)
}

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
    let stored = while_leased(house, &leased, store_whole(house, caller, &access, at, &whole, digest)).await;
    let (id, lease) = (leased.id, leased.lease);
    // An upload with another digest is of no use: its bytes cannot be taken back.
    if stored.is_ok() || matches!(stored, Err(Error::Conflict(_))) {
        house.db.write(|tx| rows::delete(tx, id, lease).scope_boxed()).await?;
        tidy(house, &whole, None).await;
        tidy(house, &before, Some(&whole)).await;
    } else {
        release(house, &leased).await;
    }
    stored
}

async fn store_whole(
    house: &House,
    caller: &Caller,
    access: &RepoAccess,
    at: &PackageAddress,
    whole: &PartialUpload,
    digest: Digest,
) -> Result<()> {
    check_digest(whole.digest()?, digest)?;
    check_quota(house, caller, access, i64::try_from(whole.size).unwrap_or(i64::MAX)).await?;
    let pending = house.blobs.finish_partial(whole).await?;
    let blob = store::commit(house, pending).await?;
    retain(house, access.repo.id, &image_of(at), &blob).await
}

/// Stores content that comes in one request.
pub async fn store<S, E>(house: &House, caller: &Caller, at: &PackageAddress, digest: Digest, body: S) -> Result<()>
where
    S: Stream<Item = std::result::Result<Bytes, E>> + Send,
    E: Into<BoxError>,
{
    let access = push_access::check(house, &house.db, caller, at).await?;
    check_quota(house, caller, &access, 1).await?;
    let options = ReceiveOptions { max_bytes: house.policy.upload_bytes, md5: false, sha512: false };
    let pending = house.blobs.receive(body, options).await?;
    check_digest(pending.digest(), digest)?;
    let blob = store::commit(house, pending).await?;
    retain(house, access.repo.id, &image_of(at), &blob).await
}

/// Cancels an upload.
pub async fn cancel(house: &House, caller: &Caller, at: &PackageAddress, token: &str) -> Result<()> {
    let (_, upload) = find(house, caller, at, token).await?;
    let start = upload.bytes.unsigned_abs();
    let leased = lease(house, upload, start).await?;
    remove(house, &leased).await
}

async fn find(house: &House, caller: &Caller, at: &PackageAddress, token: &str) -> Result<(RepoAccess, Upload)> {
    let access = push_access::check(house, &house.db, caller, at).await?;
    let found = rows::find(&house.db, token, access.repo.id, &image_of(at), caller.grantee_id()).await?;
    let upload = found.ok_or_else(|| Error::NotFound { what: "Upload", name: token.to_owned() })?;
    Ok((access, upload))
}

async fn check_quota(house: &House, caller: &Caller, access: &RepoAccess, needed: i64) -> Result<()> {
    storage_quotas::check_before(house, By { caller, access }, needed).await
}

/// Rejects content with another digest.
pub(super) fn check_digest(found: Digest, expected: Digest) -> Result<()> {
    if found == expected {
        return Ok(());
    }
    Err(Error::Conflict(format!("The digest of the content is sha256:{found}, not sha256:{expected}")))
}
