//! An upload without a body, of content that is already stored and that the caller may read.

use database::content::{blobs, files};
use model::{
    blob::Blob,
    checksum::Algorithm,
    digest::Digest,
    id::{BlobId, RepoId},
};

use crate::{
    Caller, Error, House, Result, access,
    content::{
        ExpectedChecksums, UploadTarget,
        received_file::ReceivedFile,
        record::{self, NewFiles},
        target::UploadKind,
    },
    downloads::{DownloadAttempt, OriginRules, decide},
    signing::SigningOptions,
    storage::{checksums, store},
};

/// Creates a file from stored content, identified by its SHA-256.
#[boxed::future]
pub async fn deploy(
    house: &House,
    caller: &Caller,
    target: &UploadTarget,
    expected: &ExpectedChecksums,
    with: &SigningOptions,
) -> Result<()> {
    let missing = || Error::invalid("X-Checksum-Deploy", "it needs the SHA-256 in X-Checksum-Sha2");
    let sha256 = expected.sha256.ok_or_else(missing)?;
    if target.flags.explode {
        return Err(Error::invalid("explode", "an archive that is not sent cannot be unpacked"));
    }
    let UploadKind::File(version, package, format) = target.find(house, caller, expected, with).await? else {
        return Ok(());
    };
    let blob = readable(house, caller, sha256).await?;
    if blob.is_damaged {
        return Err(Error::damaged(sha256));
    }
    expected.check_stored(house, &blob).await?;
    // Indexes show the SHA-1, which layers of images do not have.
    checksums::of(house, &blob, Algorithm::Sha1).await?;
    if format.needs_sha512() {
        checksums::of(house, &blob, Algorithm::Sha512).await?;
    }
    let inspected = store::inspect(house, format, &target.path, &blob).await?;
    let inspected = target.placed(format, &package, &target.path, inspected)?;
    let files = vec![ReceivedFile { id: house.next_id(), path: target.path.clone(), blob, stored: None, inspected }];
    record::record(house, caller, &NewFiles { version, package, flags: target.flags, files }, with).await
}

/// Returns the content with this digest if the caller may read a file that has it. Unknown and unreadable content give
/// the same error and take the same steps.
async fn readable(house: &House, caller: &Caller, sha256: Digest) -> Result<Blob> {
    let blob = blobs::find_by_digest(&house.db, sha256).await?;
    let may_read = may_read(house, caller, blob.as_ref().map_or(BlobId::NONE, |blob| blob.id)).await?;
    blob.filter(|_| may_read).ok_or_else(|| Error::NotFound { what: "Content", name: sha256.to_string() })
}

/// Returns whether the caller could download the content from some repository. A deploy must not bypass origin rules.
/// Nor may it bypass an agreement, which keys that do not publish in the repository may still have to accept.
async fn may_read(house: &House, caller: &Caller, blob_id: BlobId) -> Result<bool> {
    let found = files::list_repos_of_blob(&house.db, blob_id).await?;
    let mut ids: Vec<RepoId> = found.iter().map(|repo| repo.id).collect();
    if ids.is_empty() {
        ids.push(RepoId::NONE);
    }
    let readable = access::readable_repos(&house.db, caller, &ids).await?;
    for repo in found {
        let Some(access) = readable.iter().find(|access| access.repo.id == repo.id) else { continue };
        let may_owe = caller.key().is_some() && access.repo.profile.is_private && !access.is_publisher();
        let rules = OriginRules::of(house, repo.id).await?;
        let wanted = DownloadAttempt { is_published: repo.is_published, owes_agreement: may_owe };
        if decide(house, caller, access, &rules, wanted).is_ok() {
            return Ok(true);
        }
    }
    Ok(false)
}
