//! Showing readers what is staged, or dropping it.

use database::{
    ScopedFutureExt, Tx,
    catalogue::{packages, versions},
    content::{
        blobs,
        files::{self, File},
        stored_bytes,
    },
    events::EventKind,
};
use model::{access::Right, address::VersionAddress, file_path::FilePath, timestamp::Timestamp};

use crate::{
    Caller, Error, House, Result,
    access::{self, PackageScope},
    audit::{entry, record},
    catalogue::window,
    content::{
        indexes,
        locked_version::{LockedVersion, hold_package},
        signature_files::{attach, clear_stale},
        signing_session::Session,
    },
    events::webhooks,
    fault,
    signing::SigningOptions,
};

/// Shows everything that is staged in a version, signed where the repository says so; returns how many files that were.
/// Readers see all of it or nothing.
pub async fn publish(house: &House, caller: &Caller, at: &VersionAddress, with: &SigningOptions) -> Result<u64> {
    let repo = access::package(&house.db, caller, at, Right::Publish).await?.repo.repo;
    let session = Session::of_repo(house, caller, &repo, with).await?;
    let log = &entry(house, caller, "content.publish", at, "");
    let published = session
        .write(|tx, session| {
            async move {
                let holding = hold_version(tx, house, caller, at, None, log.at).await?;
                let staged = files::hold_staged(tx, holding.version.id).await?;
                let count = staged.len() as u64;
                if !staged.is_empty() {
                    window::check_upload(house, &holding.package.repo.repo, &holding.version, log.at)?;
                    let shown = attach(tx, &holding, session, staged).await?;
                    publish_files(tx, &shown, log.at).await?;
                    finish_publish(tx, &holding, &shown, session).await?;
                }
                record(tx, log).await?;
                fault::point("publish: rows written");
                Ok::<_, crate::Error>(count)
            }
            .scope_boxed()
        })
        .await;
    fault::point("publish: committed");
    published
}

/// Drops everything that is staged in a version; returns how many files that were.
pub async fn discard(house: &House, caller: &Caller, at: &VersionAddress) -> Result<u64> {
    access::package(&house.db, caller, at, Right::Publish).await?;
    let log = &entry(house, caller, "content.discard", at, "");
    house
        .db
        .write(|tx| {
            async move {
                let holding = hold_version(tx, house, caller, at, None, log.at).await?;
                let staged = files::hold_staged(tx, holding.version.id).await?;
                for file in &staged {
                    subtract_staged_bytes(tx, file).await?;
                    files::discard(tx, file).await?;
                }
                if !staged.is_empty() {
                    touch(tx, &holding).await?;
                }
                record(tx, log).await?;
                Ok(staged.len() as u64)
            }
            .scope_boxed()
        })
        .await
}

/// Shows readers what is staged in a file.
pub(super) async fn publish_file(tx: &mut Tx, file: &File, now: Timestamp) -> Result<()> {
    subtract_published_bytes(tx, file).await?;
    Ok(files::publish(tx, file, now).await?)
}

async fn publish_files(tx: &mut Tx, staged: &[File], now: Timestamp) -> Result<()> {
    for file in staged {
        publish_file(tx, file, now).await?;
    }
    Ok(())
}

/// Shows what is staged in files that are no news: nobody is told.
pub(crate) async fn publish_without_events(
    tx: &mut Tx,
    holding: &LockedVersion<'_>,
    staged: &[File],
    session: &Session<'_>,
) -> Result<()> {
    publish_files(tx, staged, holding.now).await?;
    update_after_publish(tx, holding, staged, session).await
}

/// Shows the signatures of files that are shown already, and writes down what follows from all of them.
pub(super) async fn publish_uploaded(
    tx: &mut Tx,
    holding: &LockedVersion<'_>,
    placed: Vec<File>,
    session: &Session<'_>,
) -> Result<()> {
    let shown = attach(tx, holding, session, placed.clone()).await?;
    let signatures: Vec<File> = shown.iter().filter(|file| !placed.contains(file)).cloned().collect();
    publish_files(tx, &signatures, holding.now).await?;
    finish_publish(tx, holding, &shown, session).await
}

/// Writes down what follows from files that are shown now, for each of which this says what was staged before.
async fn finish_publish(tx: &mut Tx, holding: &LockedVersion<'_>, shown: &[File], session: &Session<'_>) -> Result<()> {
    update_after_publish(tx, holding, shown, session).await?;
    holding.tell(tx, EventKind::Publish, None).await?;
    if holding.version.first_published.is_none() {
        holding.tell(tx, EventKind::Release, None).await?;
        webhooks::enqueue(tx, holding.house, &holding.package.package, &holding.version, holding.now).await?;
    }
    Ok(())
}

async fn update_after_publish(
    tx: &mut Tx,
    holding: &LockedVersion<'_>,
    shown: &[File],
    session: &Session<'_>,
) -> Result<()> {
    let new_files = shown.iter().filter(|file| file.published.is_none()).count();
    let new_files = i64::try_from(new_files).unwrap_or(i64::MAX);
    versions::publish(tx, &holding.version, new_files, holding.now).await?;
    packages::touch(tx, holding.package.package.id, holding.now).await?;
    for replaced in shown.iter().filter(|file| file.published.is_some()) {
        clear_stale(tx, replaced.repo_id, &replaced.path, holding.now).await?;
    }
    indexes::rebuild_affected(tx, holding.house, &holding.package.repo.repo, shown, session, holding.now).await
}

/// Holds a version for a caller who may publish in it, or may change the file at one path of it.
pub(crate) async fn hold_version<'h>(
    tx: &mut Tx,
    house: &'h House,
    caller: &'h Caller,
    at: &VersionAddress,
    path: Option<&FilePath>,
    now: Timestamp,
) -> Result<LockedVersion<'h>> {
    let spot = path.map_or_else(|| at.into(), |path| PackageScope::file(at, path));
    let package = hold_package(tx, house, caller, spot).await?;
    let version = versions::find(tx, package.package.id, &at.version).await?.ok_or_else(|| Error::no_version(at))?;
    Ok(LockedVersion { house, caller, package, version, now })
}

pub(super) async fn touch(tx: &mut Tx, holding: &LockedVersion<'_>) -> Result<()> {
    versions::touch(tx, holding.version.id, holding.now).await?;
    Ok(packages::touch(tx, holding.package.package.id, holding.now).await?)
}

/// Takes what is published off the bytes that the repository stores.
pub(crate) async fn subtract_published_bytes(tx: &mut Tx, file: &File) -> Result<()> {
    free(tx, file, file.published.as_ref()).await
}

/// Takes what is staged off the bytes that the repository stores.
pub(crate) async fn subtract_staged_bytes(tx: &mut Tx, file: &File) -> Result<()> {
    free(tx, file, file.staged.as_ref()).await
}

async fn free(tx: &mut Tx, file: &File, content: Option<&files::Content>) -> Result<()> {
    let Some(content) = content else { return Ok(()) };
    let bytes = blobs::find(tx, content.blob_id).await?.map_or(0, |blob| blob.size);
    Ok(stored_bytes::add(tx, file.repo_id, file.version_id, -bytes).await?)
}
