//! Turns a body into content that is stored durably, but not referenced by a file yet.

use blobs::{BoxError, Checksums, PendingBlob, ReceiveOptions, Stamp};
use bytes::Bytes;
use database::{
    ScopedFutureExt,
    content::{
        blobs::{self as rows, NewBlob},
        damage,
    },
};
use futures_util::Stream;
use model::{
    blob::{Blob, Check},
    digest::hex,
    id::{BlobId, RepoId},
};

use crate::{Caller, Error, House, PackageAccess, Result, fault, storage::expected_checksums::ExpectedChecksums};

pub(crate) use crate::storage::inspect::inspect;

/// How many times content is announced again while a collector is removing it.
const ATTEMPTS: u32 = 20;

/// Up to this size the MD5 is computed at once; it takes as long as the other two checksums together.
const MD5_BYTES: u64 = 4 << 20;

/// How long a successful check of stored bytes is trusted: afterwards an upload of the same content stores them again.
const BELIEVED_MS: i64 = 24 * 3_600_000;

/// Content stored for an upload.
#[derive(Debug, Clone)]
pub(crate) struct ReceivedContent {
    pub(crate) blob: Blob,
    /// Present if its bytes were stored by this upload.
    pub(crate) stored: Option<StoredBytes>,
}

/// Bytes that were stored for an upload.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StoredBytes {
    /// The check of the stored bytes.
    pub(crate) check: Check,
    /// Whether they replace bytes that were not trusted: caches of those must be invalidated.
    pub(crate) replaces: bool,
}

/// The target of an upload, which determines what its caller may know to be stored.
#[derive(Debug, Clone, Copy)]
pub(crate) struct UploaderView<'p> {
    repo_id: RepoId,
    /// The format of the repository.
    kind: &'p str,
    reads_all: bool,
}

impl<'p> UploaderView<'p> {
    /// For a caller who may publish in a package. Users can then see the whole repository; keys may have access to a
    /// part of it only.
    pub(crate) fn of(caller: &Caller, package: &'p PackageAccess) -> Self {
        let kind = package.repo.repo.kind.as_str();
        Self { repo_id: package.package.repo_id, kind, reads_all: caller.part_grantee_id().is_none() }
    }
}

/// Receives a body, checks it against the expected checksums, and stores it.
pub(crate) async fn receive<S, E>(
    house: &House,
    body: S,
    expected: &ExpectedChecksums,
    known: UploaderView<'_>,
) -> Result<ReceivedContent>
where
    S: Stream<Item = std::result::Result<Bytes, E>> + Send,
    E: Into<BoxError>,
{
    let options = ReceiveOptions {
        max_bytes: house.policy.upload_bytes,
        sha1: true,
        md5: expected.md5.is_some() || expected.size.is_some_and(|size| size <= MD5_BYTES),
        sha512: expected.sha512.is_some() || house.format(known.kind).needs_sha512(),
    };
    let pending = house.blobs.receive(body, options).await?;
    fault::point("upload: received");
    if expected.has_sums() {
        expected.check(&pending)?;
    }
    match find_known(house, &pending, options, known).await? {
        RepoContent::Believed(blob) => Ok(ReceivedContent { blob, stored: None }),
        RepoContent::Doubted => commit_checked(house, pending, true).await,
        RepoContent::None => commit_checked(house, pending, false).await,
    }
}

/// The state of some content in a repository.
enum RepoContent {
    None,
    /// The repository has it, but the stored bytes are not trusted.
    Doubted,
    /// The repository has it, and the stored bytes are trusted.
    Believed(Blob),
}

/// Finds content that a file of the same repository already has and that the store has not lost: nothing has to be
/// announced or stored. Content that only other repositories have is stored as usual, so that an upload does not reveal
/// that they have it.
///
/// Its bytes were verified recently and have not been written since. Otherwise it is stored again, which repairs any
/// damage. A collector may mark it before the transaction of this upload refers to it; the transaction then fails.
async fn find_known(
    house: &House,
    pending: &PendingBlob,
    options: ReceiveOptions,
    known: UploaderView<'_>,
) -> Result<RepoContent> {
    let found = rows::find_referenced(&house.db, pending.digest(), known.repo_id).await?;
    let Some((blob, true)) = found.filter(|_| known.reads_all) else { return Ok(RepoContent::None) };
    let has_new_sums =
        blob.sha1.is_none() || blob.md5.is_none() && options.md5 || blob.sha512.is_none() && options.sha512;
    let now = house.clock.now().millis();
    let check = blob.check.filter(|check| !blob.is_damaged && now - check.at.millis() < BELIEVED_MS);
    let Some(check) = check else { return Ok(RepoContent::Doubted) };
    if pending.stored().await? != Some(Stamp::from_number(check.stamp)) {
        tracing::warn!("blob {} was changed outside the server; an upload replaces it", blob.sha256);
        return Ok(RepoContent::Doubted);
    }
    Ok(if has_new_sums { RepoContent::None } else { RepoContent::Believed(blob) })
}

/// Announces pending bytes as a row, then stores them, so that everything in the store has a row.
pub(crate) async fn commit(house: &House, pending: PendingBlob) -> Result<Blob> {
    Ok(commit_checked(house, pending, false).await?.blob)
}

/// Does the same with a layer of an image. It has its SHA-256 only: clients of images know no other checksum.
pub(crate) async fn commit_layer(house: &House, pending: PendingBlob) -> Result<Blob> {
    let new = NewBlob { sums_on_request: true, ..new_blob(house, &pending) };
    Ok(store_announced(house, pending, &new, false).await?.blob)
}

/// Does the same, and returns the check of the stored bytes and whether they replace untrusted ones.
pub(crate) async fn commit_checked(house: &House, pending: PendingBlob, replaces: bool) -> Result<ReceivedContent> {
    let new = new_blob(house, &pending);
    store_announced(house, pending, &new, replaces).await
}

async fn store_announced(
    house: &House,
    mut pending: PendingBlob,
    new: &NewBlob,
    replaces: bool,
) -> Result<ReceivedContent> {
    // Both wait for the disk.
    let synced = async { Ok(pending.sync().await?) };
    let (blob, ()) = tokio::try_join!(announce(house, new), synced)?;
    fault::point("upload: announced");
    let (_, stamp) = pending.commit_stamped().await?;
    fault::point("upload: stored");
    let check = Check { at: house.clock.now(), stamp: stamp.number() };
    if blob.is_damaged {
        house.db.write(|tx| damage::clear(tx, blob.id, check).scope_boxed()).await?;
        tracing::info!("damaged blob {} healed by an upload", blob.sha256);
    }
    Ok(ReceivedContent {
        blob: Blob { is_damaged: false, check: Some(check), ..blob },
        stored: Some(StoredBytes { check, replaces }),
    })
}

fn new_blob(house: &House, sums: &Checksums) -> NewBlob {
    NewBlob {
        id: BlobId::new(house.next_id()),
        sha256: sums.sha256,
        sha1: sums.sha1.map(|sum| hex(&sum)),
        md5: sums.md5.map(|sum| hex(&sum)),
        sha512: sums.sha512.map(|sum| hex(&sum)),
        size: i64::try_from(sums.size).unwrap_or(i64::MAX),
        sums_on_request: false,
    }
}

async fn announce(house: &House, new: &NewBlob) -> Result<Blob> {
    let now = house.clock.now();
    for attempt in 1..=ATTEMPTS {
        let announced = house.db.write(|tx| rows::announce(tx, new, now).scope_boxed()).await?;
        if let Some(rows::Announced { id, is_damaged }) = announced {
            let NewBlob { sha256, sha1, md5, sha512, size, .. } = new.clone();
            return Ok(Blob { id, sha256, sha1, md5, sha512, size, is_damaged, check: None });
        }
        tokio::time::sleep(std::time::Duration::from_millis(10 * u64::from(attempt))).await;
    }
    Err(Error::Unavailable("the same content is being removed right now".into()))
}
