//! Signatures as files: `path.asc` next to the signed file, in the same version.

use database::{Tx, catalogue::versions, content::files, signing::signatures::Signature};
use model::{
    file::{File, FileContent},
    file_path::FilePath,
    timestamp::Timestamp,
};

use crate::{
    Result,
    content::{
        planned_rows::PlannedRows,
        publish::{subtract_published_bytes, subtract_staged_bytes},
        signature_place::{PlannedSignature, SignatureFile, SignatureOrigin, newest},
        version_target::VersionTarget,
    },
};

/// Whether an upload to the path may replace this file: true for signatures that this server made.
pub(crate) async fn gives_way(rows: &mut PlannedRows<'_>, file: &File) -> Result<bool> {
    let content = newest(file).filter(|_| file.path.is_signature());
    Ok(rows.signature(content).await?.is_some())
}

/// The signatures of files that are about to be published.
#[derive(Debug, Default)]
pub(crate) struct Attached {
    /// Staged signature files that are published unchanged.
    pub(crate) files: Vec<File>,
    /// Signatures to make.
    pub(crate) signatures: Vec<PlannedSignature>,
}

/// Finds the signatures of files that are about to be published. Missing signatures are made if the repository signs
/// files; a signature that was uploaded stays.
pub(crate) async fn attach(
    rows: &mut PlannedRows<'_>,
    target: &VersionTarget<'_>,
    key: Option<&str>,
    publishing: &[File],
) -> Result<Attached> {
    // Without a key, the repository enabled signing a moment ago, and this publish started before that.
    let key = key.filter(|_| target.repo().profile.gpg_sign_files);
    let mut attached = Attached::default();
    for payload in publishing.iter().filter(|file| !file.path.is_signature()) {
        let Some(content) = payload.staged.as_ref().filter(|_| key.is_some() || has_signature(payload)) else {
            continue;
        };
        let beside = SignatureFile::find(rows, target.version.id, &payload.path).await?;
        match &beside.origin {
            SignatureOrigin::Foreign => {}
            SignatureOrigin::Ours(Some(ours)) if is_good(ours, content, key) => attached.files.extend(beside.file),
            _ if key.is_some() => attached.signatures.push(beside.sign(Some(content), None)),
            _ => {}
        }
    }
    Ok(attached)
}

/// Whether a file that is not signed now may have a signature from before.
fn has_signature(payload: &File) -> bool {
    payload.published.is_some() && payload.path.signature().is_some()
}

/// Whether a signature that this server made can stay. If nothing is signed now, any of the server's keys will do.
fn is_good(ours: &Signature, content: &FileContent, key: Option<&str>) -> bool {
    ours.signed_blob_id == content.blob_id && key.is_none_or(|fingerprint| fingerprint == ours.fingerprint)
}

/// A signature made by this server whose signed file is about to change or to be deleted.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct StaleSignature {
    /// The signature file before the change.
    file: File,
    staged: bool,
    published: bool,
}

impl StaleSignature {
    /// Finds the signature that this server made for the file at a path, if it no longer matches that file as the plan
    /// leaves it.
    pub(crate) async fn find(rows: &mut PlannedRows<'_>, path: &FilePath) -> Result<Option<Self>> {
        let Some(place) = path.signature().filter(|_| !path.is_signature()) else { return Ok(None) };
        let Some(file) = rows.find(&place).await? else { return Ok(None) };
        let payload = rows.find(path).await?;
        let payload = payload.as_ref().map_or((None, None), |file| (file.staged.as_ref(), file.published.as_ref()));
        let staged = is_stale(rows, file.staged.as_ref(), payload.0).await?;
        let published = is_stale(rows, file.published.as_ref(), payload.1).await?;
        if !staged && !published {
            return Ok(None);
        }
        let mut after = file.clone();
        if staged {
            after.staged = None;
        }
        if published {
            after.published = None;
            rows.unpublish(&file.path);
        }
        let is_left = after.staged.is_some() || after.published.is_some();
        rows.set(&place, is_left.then_some(after));
        Ok(Some(Self { file, staged, published }))
    }

    /// Removes the signature.
    pub(crate) async fn apply(self, tx: &mut Tx, now: Timestamp) -> Result<()> {
        let mut file = self.file;
        if self.staged {
            subtract_staged_bytes(tx, &file).await?;
            files::discard(tx, &file).await?;
            file.staged = None;
        }
        if self.published {
            subtract_published_bytes(tx, &file).await?;
            match file.staged {
                Some(_) => files::withdraw(tx, &file).await?,
                None => files::delete(tx, &file).await?,
            }
            versions::unpublish(tx, file.version_id, 1, now).await?;
        }
        Ok(())
    }
}

async fn is_stale(
    rows: &mut PlannedRows<'_>,
    signature: Option<&FileContent>,
    payload: Option<&FileContent>,
) -> Result<bool> {
    let made = rows.signature(signature).await?;
    Ok(made.is_some_and(|made| payload.is_none_or(|payload| payload.blob_id != made.signed_blob_id)))
}
