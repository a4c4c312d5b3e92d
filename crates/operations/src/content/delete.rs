//! Deleting one file.

use database::{
    ScopedFutureExt, Tx,
    catalogue::versions,
    content::{
        blobs,
        files::{self, File},
    },
    events::EventKind,
};
use model::{
    access::Right,
    address::{PackageAddress, RepoAddress, VersionAddress},
    file_path::FilePath,
};

use crate::{
    Caller, Error, House, Result, access,
    audit::{entry, record},
    catalogue::{tombstones, window},
    content::{
        indexes, locked_version::LockedVersion, publish, signature_files::clear_stale, signing_session::Session,
    },
};

/// Deletes a file. A published one only as long as its version may be changed; those who run the site always.
pub async fn delete(house: &House, caller: &Caller, at: &RepoAddress, path: &FilePath) -> Result<()> {
    let repo = &access::file(&house.db, caller, at, path, Right::Publish).await?.repo;
    let not_found = || Error::NotFound { what: "File", name: path.to_string() };
    let owner = files::find_owner(&house.db, repo.id, path).await?.ok_or_else(not_found)?;
    let package = PackageAddress { repo: at.clone(), package: owner.package };
    let version = &VersionAddress { package, version: owner.version };
    let log = &entry(house, caller, "content.delete", at, path);
    let session = Session::of_deletion(house, caller, repo).await?;
    session
        .write(|tx, session| {
            async move {
                let holding = publish::hold_version(tx, house, caller, version, Some(path), log.at).await?;
                let file = files::hold(tx, repo.id, path).await?.ok_or_else(not_found)?;
                if file.version_id != holding.version.id {
                    return Err(not_found());
                }
                if file.published.is_some() {
                    check_published(tx, caller, &version.package).await?;
                }
                remove(tx, &holding, &file, session).await?;
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await
}

/// Refuses to delete what readers see to keys that were given a version or a path: they add to the package, and those who
/// publish in all of it take away.
pub(crate) async fn check_published(tx: &Tx, caller: &Caller, at: &PackageAddress) -> Result<()> {
    if caller.key().is_none() {
        return Ok(());
    }
    match access::package(tx, caller, at, Right::Publish).await {
        Err(Error::NotFound { .. } | Error::Denied(_)) => Err(Error::Denied(
            "An access key of a version or a path may not delete what is published; use one of the whole package"
                .into(),
        )),
        other => other.map(|_| ()),
    }
}

/// Binds the path to what readers saw, when that was final.
async fn keep_published(tx: &mut Tx, holding: &LockedVersion<'_>, file: &File) -> Result<()> {
    let (house, repo, now) = (holding.house, &holding.package.repo.repo, holding.now);
    let is_over = holding.version.first_published.is_some_and(|first| window::is_upload_over(house, repo, first, now));
    let Some(content) = file.published.as_ref().filter(|_| is_over) else { return Ok(()) };
    let Some(blob) = blobs::find(tx, content.blob_id).await? else { return Ok(()) };
    tombstones::keep_file(tx, house, repo, &file.path, blob.sha256, now).await
}

/// Removes the file, with the signature that we have made of it.
async fn remove(tx: &mut Tx, holding: &LockedVersion<'_>, file: &File, session: &Session<'_>) -> Result<()> {
    let (house, repo, now) = (holding.house, &holding.package.repo.repo, holding.now);
    if file.published.is_some() && !window::may_take_down(holding.caller) {
        window::check_upload(house, repo, &holding.version, now)?;
    }
    keep_published(tx, holding, file).await?;
    publish::subtract_published_bytes(tx, file).await?;
    publish::subtract_staged_bytes(tx, file).await?;
    files::delete(tx, file).await?;
    clear_stale(tx, repo.id, &file.path, now).await?;
    if file.published.is_some() {
        versions::unpublish(tx, file.version_id, 1, now).await?;
        indexes::rebuild_affected(tx, house, repo, std::slice::from_ref(file), session, now).await?;
    }
    publish::touch(tx, holding).await?;
    holding.tell(tx, EventKind::Delete, Some(&file.path)).await
}
