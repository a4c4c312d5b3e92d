//! The place of a file's signature: what lies there, and putting one there.

use database::{
    Read, Tx,
    content::{
        blobs::{self, Blob},
        files::{self, Content, File, NewFile},
        stored_bytes,
    },
    signing::signatures::{self, Signature},
};
use model::file_path::FilePath;

use crate::{
    Error, Result,
    content::{locked_version::LockedVersion, signing_session::Session, subtract_staged_bytes},
};

/// What lies at the place of a file's signature.
pub(crate) struct SignatureFile {
    path: FilePath,
    pub(crate) file: Option<File>,
    pub(crate) signs: SignatureOrigin,
}

/// Whose the signature is.
pub(crate) enum SignatureOrigin {
    /// There is none.
    Nothing,
    /// Somebody else's.
    Foreign,
    /// Ours; this is the one that waits for a publish.
    Ours(Option<Signature>),
}

impl SignatureFile {
    pub(crate) async fn find(tx: &mut Tx, holding: &LockedVersion<'_>, path: &FilePath) -> Result<Self> {
        let path = path
            .signature()
            .ok_or_else(|| Error::invalid("path", format!("'{path}' leaves no room for the name of its signature")))?;
        let file = files::hold(tx, holding.package.package.repo_id, &path).await?;
        let signs = match &file {
            None => SignatureOrigin::Nothing,
            Some(file) => {
                let newest = of_content(tx, newest(file)).await?;
                match newest.filter(|_| file.version_id == holding.version.id) {
                    Some(ours) => SignatureOrigin::Ours(file.staged.is_some().then_some(ours)),
                    None => SignatureOrigin::Foreign,
                }
            }
        };
        Ok(Self { path, file, signs })
    }

    /// Stages the signature of some content; `None` while it is not made yet.
    pub(crate) async fn put(
        self,
        tx: &mut Tx,
        holding: &LockedVersion<'_>,
        session: &Session<'_>,
        content: &Content,
    ) -> Result<Option<File>> {
        let (Some(made), Some(fingerprint)) = (session.content(content.blob_id), session.fingerprint()) else {
            return Ok(None);
        };
        let signature =
            Signature { blob_id: made.id, signed_blob_id: content.blob_id, fingerprint: fingerprint.to_owned() };
        keep(tx, holding, made, &signature).await?;
        let content = Content { blob_id: made.id, facts: None };
        if let Some(file) = self.file {
            subtract_staged_bytes(tx, &file).await?;
            files::stage(tx, &file, &content).await?;
            return Ok(Some(File { staged: Some(content), ..file }));
        }
        let package = &holding.package.package;
        let (id, repo_id, package_id, version_id) =
            (holding.house.next_id(), package.repo_id, package.id, holding.version.id);
        let (path, created) = (self.path, holding.now);
        let new = NewFile { id, repo_id, package_id, version_id, path, content, is_published: false, created };
        match files::insert(tx, &new).await {
            Err(database::Error::Conflict) => {
                return Err(Error::Conflict(format!("The path '{}' is being uploaded by another call", new.path)));
            }
            other => other?,
        }
        let NewFile { path, content, .. } = new;
        Ok(Some(File { id, repo_id, package_id, version_id, path, published: None, staged: Some(content) }))
    }
}

/// Takes the signature's content for a file of this transaction.
async fn keep(tx: &mut Tx, holding: &LockedVersion<'_>, made: &Blob, signature: &Signature) -> Result<()> {
    if !blobs::mark_used(tx, made.id, made.check).await? {
        return Err(Error::Unavailable("a signature was removed before it had a file".into()));
    }
    signatures::insert(tx, signature).await?;
    Ok(stored_bytes::add(tx, holding.package.package.repo_id, holding.version.id, made.size).await?)
}

async fn of_content(db: &impl Read, content: Option<&Content>) -> Result<Option<Signature>> {
    match content {
        Some(content) => Ok(signatures::find(db, content.blob_id).await?),
        None => Ok(None),
    }
}

pub(crate) fn newest(file: &File) -> Option<&Content> {
    file.staged.as_ref().or(file.published.as_ref())
}
