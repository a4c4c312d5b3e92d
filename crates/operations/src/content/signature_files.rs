//! Signatures as files: `path.asc` beside what they sign, in the same version. All of it happens in transactions.

use std::collections::BTreeMap;

use database::{
    Tx,
    catalogue::versions,
    content::files::{self, Content, File},
    signing::signatures::{self, Signature},
};
use model::{file_path::FilePath, timestamp::Timestamp};

use crate::{
    Result,
    content::{
        locked_version::LockedVersion,
        signature_place::{SignatureFile, SignatureOrigin, newest},
        signing_session::Session,
        subtract_published_bytes, subtract_staged_bytes,
    },
};

/// Whether a file gives way to what a client sends to its path: a signature that we have made does.
pub(crate) async fn gives_way(tx: &Tx, file: &File) -> Result<bool> {
    match newest(file).filter(|_| file.path.is_signature()) {
        Some(content) => Ok(signatures::find(tx, content.blob_id).await?.is_some()),
        None => Ok(false),
    }
}

/// Adds to what is about to be published the signatures that belong to it. Those that are not there yet are made, when
/// the repository says so; a signature that somebody else has put there stays.
pub(crate) async fn attach(
    tx: &mut Tx,
    holding: &LockedVersion<'_>,
    session: &Session<'_>,
    staged: Vec<File>,
) -> Result<Vec<File>> {
    // Without a key the repository has begun to sign a moment ago, and this publish was before.
    let fingerprint = session.fingerprint().filter(|_| holding.package.repo.repo.profile.gpg_sign_files);
    let signs = fingerprint.is_some();
    let mut shown: BTreeMap<FilePath, File> = staged.into_iter().map(|file| (file.path.clone(), file)).collect();
    let payloads: Vec<File> = shown.values().filter(|file| !file.path.is_signature()).cloned().collect();
    for payload in payloads.iter().filter(|payload| signs || has_signature(payload)) {
        let Some(content) = &payload.staged else { continue };
        let beside = SignatureFile::find(tx, holding, &payload.path).await?;
        let signature = match &beside.signs {
            SignatureOrigin::Foreign => None,
            SignatureOrigin::Ours(Some(ours)) if is_good(ours, content, fingerprint) => beside.file,
            _ if signs => beside.put(tx, holding, session, content).await?,
            _ => None,
        };
        shown.extend(signature.map(|file| (file.path.clone(), file)));
    }
    Ok(shown.into_values().collect())
}

/// Whether there can be a signature beside a file that is not signed now.
fn has_signature(payload: &File) -> bool {
    payload.published.is_some() && payload.path.signature().is_some()
}

/// Removes what we have signed beside a file that has other content now, or none.
pub(crate) async fn clear_stale(tx: &mut Tx, repo_id: i64, path: &FilePath, now: Timestamp) -> Result<()> {
    let Some(place) = path.signature().filter(|_| !path.is_signature()) else { return Ok(()) };
    let Some(mut beside) = files::hold(tx, repo_id, &place).await? else { return Ok(()) };
    let payload = files::find(tx, repo_id, path).await?;
    let (published, staged) = payload.map_or((None, None), |file| (file.published, file.staged));
    if is_stale(tx, beside.staged.as_ref(), staged.as_ref()).await? {
        subtract_staged_bytes(tx, &beside).await?;
        files::discard(tx, &beside).await?;
        beside.staged = None;
    }
    if is_stale(tx, beside.published.as_ref(), published.as_ref()).await? {
        subtract_published_bytes(tx, &beside).await?;
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

/// Whether a signature of ours need not be made again. Where nothing is signed now, any of our keys is good.
fn is_good(ours: &Signature, content: &Content, fingerprint: Option<&str>) -> bool {
    ours.signed_blob_id == content.blob_id && fingerprint.is_none_or(|fingerprint| fingerprint == ours.fingerprint)
}
