//! Signatures as files: `path.asc` beside what they sign, in the same version. All of it happens in transactions.

use std::collections::BTreeMap;

use database::{
    Read, Tx,
    blobs::{self, Blob},
    files::{self, Content, File, NewFile},
    signatures::{self, Signature},
    stored_bytes, versions,
};
use model::{file_path::FilePath, timestamp::Timestamp};

use crate::{
    Error, Result,
    content::{free_published, free_staged, holding::Holding},
    signing::Session,
};

/// How the names of signatures end.
const ENDING: &str = ".asc";

/// Whether a path is that of a signature, ours or somebody else's. Signatures are not signed.
pub(super) fn is_signature(path: &FilePath) -> bool {
    path.as_str().ends_with(ENDING)
}

/// Where the signature of a file lies.
pub(crate) fn signature_path(path: &FilePath) -> Result<FilePath> {
    FilePath::parse(&format!("{path}{ENDING}")).map_err(|error| Error::invalid("path", error))
}

/// Whether a file gives way to what a client sends to its path: a signature that we have made does.
pub(crate) async fn gives_way(tx: &Tx, file: &File) -> Result<bool> {
    match newest(file).filter(|_| is_signature(&file.path)) {
        Some(content) => Ok(signatures::find(tx, content.blob_id).await?.is_some()),
        None => Ok(false),
    }
}

/// Adds to what is about to be published the signatures that belong to it. Those that are not there yet are made, when
/// the repository says so; a signature that somebody else has put there stays.
pub(crate) async fn attach(
    tx: &mut Tx,
    holding: &Holding<'_>,
    session: &Session<'_>,
    staged: Vec<File>,
) -> Result<Vec<File>> {
    let signs = holding.package.repo.repo.profile.gpg_sign_files;
    let fingerprint = session.fingerprint().filter(|_| signs);
    let mut shown: BTreeMap<FilePath, File> = staged.into_iter().map(|file| (file.path.clone(), file)).collect();
    let payloads: Vec<File> = shown.values().filter(|file| !is_signature(&file.path)).cloned().collect();
    for payload in payloads.iter().filter(|payload| signs || payload.published.is_some()) {
        let Some(content) = &payload.staged else { continue };
        let beside = Beside::find(tx, holding, &payload.path).await?;
        let signature = match &beside.signs {
            Signs::Foreign => None,
            Signs::Ours(Some(ours)) if is_good(ours, content, fingerprint) => beside.file,
            _ if signs => beside.put(tx, holding, session, content).await?,
            _ => None,
        };
        shown.extend(signature.map(|file| (file.path.clone(), file)));
    }
    Ok(shown.into_values().collect())
}

/// Removes what we have signed beside a file that has other content now, or none.
pub(crate) async fn clear_stale(tx: &mut Tx, repo_id: i64, path: &FilePath, now: Timestamp) -> Result<()> {
    if is_signature(path) {
        return Ok(());
    }
    let Some(mut beside) = files::hold(tx, repo_id, &signature_path(path)?).await? else { return Ok(()) };
    let payload = files::find(tx, repo_id, path).await?;
    let (published, staged) = payload.map_or((None, None), |file| (file.published, file.staged));
    if is_stale(tx, beside.staged.as_ref(), staged.as_ref()).await? {
        free_staged(tx, &beside).await?;
        files::discard(tx, &beside).await?;
        beside.staged = None;
    }
    if is_stale(tx, beside.published.as_ref(), published.as_ref()).await? {
        free_published(tx, &beside).await?;
        match beside.staged {
            Some(_) => files::withdraw(tx, &beside).await?,
            None => files::delete(tx, &beside).await?,
        }
        versions::unpublish(tx, beside.version_id, 1, now).await?;
    }
    Ok(())
}

async fn is_stale(tx: &Tx, signature: Option<&Content>, payload: Option<&Content>) -> Result<bool> {
    let Some(signature) = signature else { return Ok(false) };
    let made = signatures::find(tx, signature.blob_id).await?;
    Ok(made.is_some_and(|made| payload.is_none_or(|payload| payload.blob_id != made.signed_blob_id)))
}

/// What lies at the place of a file's signature.
pub(super) struct Beside {
    path: FilePath,
    pub(super) file: Option<File>,
    pub(super) signs: Signs,
}

/// Whose the signature is.
pub(super) enum Signs {
    /// There is none.
    Nothing,
    /// Somebody else's.
    Foreign,
    /// Ours; this is the one that waits for a publish.
    Ours(Option<Signature>),
}

impl Beside {
    pub(super) async fn find(tx: &mut Tx, holding: &Holding<'_>, path: &FilePath) -> Result<Self> {
        let path = signature_path(path)?;
        let file = files::hold(tx, holding.package.package.repo_id, &path).await?;
        let signs = match &file {
            None => Signs::Nothing,
            Some(file) => {
                let newest = of_content(tx, newest(file)).await?;
                match newest.filter(|_| file.version_id == holding.version.id) {
                    Some(ours) => Signs::Ours(file.staged.is_some().then_some(ours)),
                    None => Signs::Foreign,
                }
            }
        };
        Ok(Self { path, file, signs })
    }

    /// Stages the signature of some content; `None` while it is not made yet.
    pub(super) async fn put(
        self,
        tx: &mut Tx,
        holding: &Holding<'_>,
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
            free_staged(tx, &file).await?;
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

/// Whether a signature of ours need not be made again. Where nothing is signed now, any of our keys is good.
fn is_good(ours: &Signature, content: &Content, fingerprint: Option<&str>) -> bool {
    ours.signed_blob_id == content.blob_id && fingerprint.is_none_or(|fingerprint| fingerprint == ours.fingerprint)
}

/// Takes the signature's content for a file of this transaction.
async fn keep(tx: &mut Tx, holding: &Holding<'_>, made: &Blob, signature: &Signature) -> Result<()> {
    if !blobs::keep(tx, made.id).await? {
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

fn newest(file: &File) -> Option<&Content> {
    file.staged.as_ref().or(file.published.as_ref())
}
