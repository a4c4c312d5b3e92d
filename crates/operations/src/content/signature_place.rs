//! The signature file that belongs to a file: finding it, and planning a new one.

use database::{
    Tx,
    content::{
        blobs,
        files::{self, NewFile},
        stored_bytes,
    },
    signing::signatures::{self, Signature},
};
use model::{
    blob::Blob,
    file::{File, FileContent},
    file_path::FilePath,
    id::{BlobId, VersionId},
};

use crate::{
    Error, Result,
    content::{
        planned_rows::PlannedRows,
        publish::{publish_file, subtract_staged_bytes},
        version_target::VersionTarget,
    },
    signing::signatures::Signatures,
};

/// The signature file next to a file, if any.
pub(crate) struct SignatureFile {
    path: FilePath,
    pub(crate) file: Option<File>,
    pub(crate) origin: SignatureOrigin,
}

/// The origin of a signature file.
pub(crate) enum SignatureOrigin {
    /// No signature exists.
    Nothing,
    /// The signature was uploaded, or belongs to another version.
    Foreign,
    /// This server made the signature. Contains the staged one, if any.
    Ours(Option<Signature>),
}

impl SignatureFile {
    /// Finds the signature of the file at a path of this version.
    pub(crate) async fn find(rows: &mut PlannedRows<'_>, version_id: VersionId, path: &FilePath) -> Result<Self> {
        let path = path.signature().ok_or_else(|| {
            Error::invalid("path", format!("'{path}' is too long: the name of its signature does not fit"))
        })?;
        let file = rows.find(&path).await?;
        let origin = match &file {
            None => SignatureOrigin::Nothing,
            Some(file) => {
                let ours = rows.signature(newest(file)).await?;
                match ours.filter(|_| file.version_id == version_id) {
                    Some(ours) => SignatureOrigin::Ours(file.staged.is_some().then_some(ours)),
                    None => SignatureOrigin::Foreign,
                }
            }
        };
        Ok(Self { path, file, origin })
    }

    /// Plans signatures of these contents, each of which may be absent: one to publish, and one to stage.
    pub(crate) fn sign(self, published: Option<&FileContent>, staged: Option<&FileContent>) -> PlannedSignature {
        let id = |content: Option<&FileContent>| content.map(|content| content.blob_id);
        PlannedSignature { path: self.path, before: self.file, published: id(published), staged: id(staged) }
    }
}

/// A signature file that a plan makes or replaces.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct PlannedSignature {
    pub(crate) path: FilePath,
    /// The file that exists now.
    pub(crate) before: Option<File>,
    /// The id of the blob whose signature is published.
    pub(crate) published: Option<BlobId>,
    /// The id of the blob whose signature is staged.
    pub(crate) staged: Option<BlobId>,
}

impl PlannedSignature {
    /// Whether readers get a file that did not exist for them before.
    pub(crate) fn is_new(&self) -> bool {
        self.published.is_some() && self.before.as_ref().is_none_or(|file| file.published.is_none())
    }

    /// Writes the signature file.
    pub(crate) async fn apply(self, tx: &mut Tx, target: &VersionTarget<'_>, signatures: &Signatures) -> Result<()> {
        let mut before = self.before;
        if let Some(blob_id) = self.published {
            let file = put(tx, target, &self.path, before, signatures, blob_id).await?;
            publish_file(tx, &file, target.now).await?;
            before = Some(File { published: file.staged.clone(), staged: None, ..file });
        }
        if let Some(blob_id) = self.staged {
            put(tx, target, &self.path, before, signatures, blob_id).await?;
        }
        Ok(())
    }
}

/// Stages the signature of a blob.
async fn put(
    tx: &mut Tx,
    target: &VersionTarget<'_>,
    path: &FilePath,
    before: Option<File>,
    signatures: &Signatures,
    signed_blob_id: BlobId,
) -> Result<File> {
    let (made, fingerprint) = signatures.of_content(signed_blob_id)?;
    let signature = Signature { blob_id: made.id, signed_blob_id, fingerprint: fingerprint.to_owned() };
    mark_used(tx, target, made, &signature).await?;
    let content = FileContent { blob_id: made.id, facts: None };
    if let Some(file) = before {
        subtract_staged_bytes(tx, &file).await?;
        files::stage(tx, &file, &content).await?;
        return Ok(File { staged: Some(content), ..file });
    }
    let package = &target.package.package;
    let (id, repo_id, package_id, version_id) =
        (target.house.next_id(), package.repo_id, package.id, target.version.id);
    let (path, created) = (path.clone(), target.now);
    // What it signs is there already.
    let (is_published, begins_draft) = (false, false);
    let new = NewFile { id, repo_id, package_id, version_id, path, content, is_published, begins_draft, created };
    match files::insert(tx, &new).await {
        Err(database::Error::Conflict) => {
            return Err(Error::Conflict(format!("The path '{}' is being uploaded by another call", new.path)));
        }
        other => other?,
    }
    let NewFile { path, content, .. } = new;
    Ok(File { id, repo_id, package_id, version_id, path, published: None, staged: Some(content) })
}

/// Marks the content of the signature as used by a file of this transaction.
async fn mark_used(tx: &mut Tx, target: &VersionTarget<'_>, made: &Blob, signature: &Signature) -> Result<()> {
    if !blobs::mark_used(tx, made.id, made.check).await? {
        return Err(Error::Unavailable("a signature was removed before it had a file".into()));
    }
    signatures::insert(tx, signature).await?;
    Ok(stored_bytes::add(tx, target.package.package.repo_id, target.version.id, made.size).await?)
}

pub(crate) fn newest(file: &File) -> Option<&FileContent> {
    file.staged.as_ref().or(file.published.as_ref())
}
