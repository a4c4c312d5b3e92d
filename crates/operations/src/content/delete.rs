//! Deleting one file.

use database::{
    ScopedFutureExt, Tx,
    events::Kind,
    files::{self, File},
    versions,
};
use model::{
    access::Right,
    address::{PackageAddress, RepoAddress, VersionAddress},
    file_path::FilePath,
};

use crate::{
    Caller, Error, House, Result, access,
    audit::{entry, record},
    content::{derive, holding::Holding, publish, window},
    signing::{Session, clear_stale},
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
                remove(tx, &holding, &file, session).await?;
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await
}

/// Removes the file, with the signature that we have made of it.
async fn remove(tx: &mut Tx, holding: &Holding<'_>, file: &File, session: &Session<'_>) -> Result<()> {
    let (house, repo, now) = (holding.house, &holding.package.repo.repo, holding.now);
    if file.published.is_some() && !window::may_take_down(holding.caller) {
        window::check_upload(house, repo, &holding.version, now)?;
    }
    publish::free_published(tx, file).await?;
    publish::free_staged(tx, file).await?;
    files::delete(tx, file).await?;
    clear_stale(tx, repo.id, &file.path, now).await?;
    if file.published.is_some() {
        versions::unpublish(tx, file.version_id, 1, now).await?;
        derive::refresh(tx, house, repo, std::slice::from_ref(file), session, now).await?;
    }
    publish::touch(tx, holding).await?;
    holding.tell(tx, Kind::Delete, Some(&file.path)).await
}
