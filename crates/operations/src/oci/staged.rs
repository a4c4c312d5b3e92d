//! Pushes to repositories that stage them: tag and manifest wait with all their content, and only publishers read them.

use database::{
    Read, ScopedFutureExt, Tx,
    content::blobs as blob_rows,
    oci::{
        image_files, pending_blobs,
        staged_manifests::{self, StagedManifest},
    },
};
use model::{address::PackageAddress, blob::Blob, digest::Digest, id::RepoId, names::VersionName};
use serde::{Deserialize, Serialize};

use crate::{
    Caller, Error, House, Result,
    oci::{
        blob_path, digest_name, image_of, manifest_path,
        manifests::{NewManifest, Reference},
        push_access,
    },
    storage::store::ReceivedContent,
};

/// The maximum number of manifests that wait in an image.
pub(super) const MANIFESTS: i64 = 1_000;

/// What a staged manifest names.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct StagedNames {
    pub(super) digest: String,
    pub(super) blobs: Vec<(String, u64)>,
    pub(super) manifests: Vec<(String, u64)>,
    pub(super) subject: Option<(String, String)>,
}

impl StagedNames {
    pub(super) fn of(row: &StagedManifest) -> Result<Self> {
        serde_json::from_str(&row.named).map_err(|error| Error::Internal(format!("a staged manifest: {error}")))
    }

    /// The manifest as it was pushed, without its bytes.
    pub(super) fn to_manifest(&self, row: &StagedManifest) -> Result<NewManifest> {
        let damaged = |_| Error::Internal(format!("the staged manifest {} has a damaged row", row.reference));
        let digest = |text: &str| -> Result<Digest> {
            let hex = text.trim_start_matches("sha256:");
            hex.parse().map_err(|_| Error::Internal(format!("the staged manifest {} has a damaged row", row.reference)))
        };
        let pairs = |list: &[(String, u64)]| -> Result<Vec<(Digest, u64)>> {
            list.iter().map(|(text, size)| Ok((digest(text)?, *size))).collect()
        };
        let reference = if row.reference.contains(':') {
            Reference::Digest
        } else {
            Reference::Tag(VersionName::parse(&row.reference).map_err(damaged)?)
        };
        Ok(NewManifest {
            reference,
            bytes: bytes::Bytes::new(),
            digest: digest(&self.digest)?,
            facts: row.facts.clone(),
            blobs: pairs(&self.blobs)?,
            manifests: pairs(&self.manifests)?,
            subject: self.subject.clone(),
        })
    }
}

/// Stages a manifest under its tag or digest.
pub(super) async fn stage(
    house: &House,
    caller: &Caller,
    at: &PackageAddress,
    new: &NewManifest,
    reference: &str,
    content: &ReceivedContent,
) -> Result<()> {
    let pairs = |list: &[(Digest, u64)]| list.iter().map(|(digest, size)| (digest_name(*digest), *size)).collect();
    let named = StagedNames {
        digest: digest_name(new.digest),
        blobs: pairs(&new.blobs),
        manifests: pairs(&new.manifests),
        subject: new.subject.clone(),
    };
    let named = serde_json::to_string(&named).map_err(|error| Error::Internal(error.to_string()))?;
    let row = &StagedManifest {
        id: house.next_id(),
        reference: reference.to_owned(),
        blob_id: content.blob.id,
        facts: new.facts.clone(),
        named,
    };
    let now = house.clock.now();
    house
        .db
        .write(|tx| {
            async move {
                let access = push_access::check(house, tx, caller, at).await?;
                let (repo_id, image) = (access.repo.id, image_of(at));
                let needed = find_needed(tx, repo_id, &image, new).await?;
                let waiting = staged_manifests::list(tx, repo_id, &image, MANIFESTS).await?.len();
                if i64::try_from(waiting).unwrap_or(i64::MAX) >= MANIFESTS {
                    return Err(Error::Denied(format!("{MANIFESTS} manifests of the image wait to be published")));
                }
                staged_manifests::replace(tx, repo_id, &image, row).await?;
                for blob_id in needed.iter().map(|blob| blob.id).chain([content.blob.id]) {
                    if !pending_blobs::insert(tx, repo_id, &image, blob_id, now).await? {
                        return Err(Error::Unavailable("the same content is being removed right now".into()));
                    }
                    staged_manifests::add_blob(tx, row.id, blob_id).await?;
                }
                Ok(())
            }
            .scope_boxed()
        })
        .await
}

/// Finds everything that a manifest names: in the image, held for it, or staged.
async fn find_needed(tx: &mut Tx, repo_id: RepoId, image: &str, new: &NewManifest) -> Result<Vec<Blob>> {
    let mut needed = Vec::new();
    for (digest, size) in &new.blobs {
        let found = match image_files::find(tx, repo_id, &blob_path(image, *digest)?).await? {
            Some(file) => blob_rows::find(tx, file.blob_id).await?,
            None => pending_blobs::find(tx, repo_id, image, *digest).await?,
        };
        needed.push(check(found, "Blob", *digest, *size)?);
    }
    for (digest, size) in &new.manifests {
        let found = match image_files::find(tx, repo_id, &manifest_path(image, &digest_name(*digest))?).await? {
            Some(file) => Some(file.blob_id),
            None => staged_of_digest(tx, repo_id, image, *digest).await?.map(|row| row.blob_id),
        };
        let found = match found {
            Some(id) => blob_rows::find(tx, id).await?,
            None => None,
        };
        needed.push(check(found, "Manifest", *digest, *size)?);
    }
    Ok(needed)
}

fn check(found: Option<Blob>, what: &'static str, digest: Digest, said: u64) -> Result<Blob> {
    let blob = found.ok_or_else(|| Error::Unknown { what, name: digest_name(digest) })?;
    if blob.size.unsigned_abs() == said {
        return Ok(blob);
    }
    let stored = blob.size;
    Err(Error::invalid("manifest", format!("it says that sha256:{digest} has {said} bytes, but it has {stored}")))
}

/// The manifest that is staged with this digest, by it or by a tag.
pub(super) async fn staged_of_digest(
    db: &dyn Read,
    repo_id: RepoId,
    image: &str,
    digest: Digest,
) -> Result<Option<StagedManifest>> {
    let name = digest_name(digest);
    if let Some(row) = staged_manifests::find(db, repo_id, image, &name).await? {
        return Ok(Some(row));
    }
    let rows = staged_manifests::list(db, repo_id, image, MANIFESTS).await?;
    Ok(rows.into_iter().find(|row| StagedNames::of(row).is_ok_and(|names| names.digest == name)))
}
