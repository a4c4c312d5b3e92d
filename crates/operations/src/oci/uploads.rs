//! Uploads in pieces: begun, continued or cancelled by the caller who began them, on any node.

use blobs::BoxError;
use bytes::Bytes;
use database::{
    ScopedFutureExt,
    oci::uploads::{self as rows, NewUpload, Upload},
};
use futures_util::Stream;
use model::{address::PackageAddress, digest::hex};

use crate::{
    Caller, Error, House, RepoAccess, Result,
    accounts::storage_quotas::{self, By},
    fault,
    oci::{
        image_of,
        leases::{lease, partial, receive, remove, taken_over, tidy},
        push_access,
    },
};

/// Begins an upload and returns the secret name of its URL.
#[boxed::future]
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

/// An upload that the caller may continue.
#[derive(Debug)]
pub struct OpenUpload {
    pub(super) access: RepoAccess,
    pub(super) upload: Upload,
}

impl OpenUpload {
    /// The number of its bytes.
    pub fn size(&self) -> u64 {
        self.upload.bytes.unsigned_abs()
    }

    /// Whether no piece of it has come.
    pub fn is_new(&self) -> bool {
        self.upload.lease == 0
    }
}

/// Returns the upload with this token.
#[boxed::future]
pub async fn find(house: &House, caller: &Caller, at: &PackageAddress, token: &str) -> Result<OpenUpload> {
    let access = push_access::check(house, &house.db, caller, at).await?;
    let found = rows::find(&house.db, token, access.repo.id, &image_of(at), caller.grantee_id()).await?;
    let upload = found.ok_or_else(|| Error::NotFound { what: "Upload", name: token.to_owned() })?;
    Ok(OpenUpload { access, upload })
}

/// Adds a piece to an upload, and returns the number of bytes after it.
pub async fn append<S, E>(house: &House, open: OpenUpload, body: S) -> Result<u64>
where
    S: Stream<Item = std::result::Result<Bytes, E>> + Send,
    E: Into<BoxError>,
{
    let leased = lease(house, open.upload).await?;
    let before = partial(&leased);
    let appended = match receive(house, &leased, &before, body).await {
        Ok(appended) => appended,
        Err(error) => {
            leased.release().await;
            return Err(error);
        }
    };
    fault::point("image: piece received");
    let after = &Upload {
        place: appended.place.clone(),
        bytes: i64::try_from(appended.size).unwrap_or(i64::MAX),
        states: appended.states.clone(),
        ..leased.clone()
    };
    let now = house.clock.now();
    let is_recorded = house.db.write(|tx| rows::record(tx, after, now).scope_boxed()).await?;
    leased.was_ended();
    if !is_recorded {
        return Err(taken_over());
    }
    tidy(house, &before, Some(&appended)).await;
    Ok(appended.size)
}

/// Cancels an upload.
#[boxed::future]
pub async fn cancel(house: &House, caller: &Caller, at: &PackageAddress, token: &str) -> Result<()> {
    let open = find(house, caller, at, token).await?;
    let leased = lease(house, open.upload).await?;
    remove(house, leased).await
}

pub(super) async fn check_quota(house: &House, caller: &Caller, access: &RepoAccess, needed: i64) -> Result<()> {
    storage_quotas::check_before(house, By { caller, access }, needed).await
}
