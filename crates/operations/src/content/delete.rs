//! Deleting one file.

use database::{ScopedFutureExt, events::Kind, files, versions};
use model::{
    access::Right,
    address::{PackageAddress, RepoAddress, VersionAddress},
    file_path::FilePath,
};

use crate::{
    Caller, Error, House, Result, access,
    audit::{entry, record},
    content::{derive, publish, window},
};

/// Deletes a file. A published one only as long as its version may be changed; those who run the site always.
pub async fn delete(house: &House, caller: &Caller, at: &RepoAddress, path: &FilePath) -> Result<()> {
    let repo = &access::file(&house.db, caller, at, path, Right::Publish).await?.repo;
    let not_found = || Error::NotFound { what: "File", name: path.to_string() };
    let owner = files::find_owner(&house.db, repo.id, path).await?.ok_or_else(not_found)?;
    let package = PackageAddress { repo: at.clone(), package: owner.package };
    let version = &VersionAddress { package, version: owner.version };
    let log = &entry(house, caller, "content.delete", at, path);
    house
        .db
        .write(|tx| {
            async move {
                let holding = publish::hold_version(tx, house, caller, version, Some(path), log.at).await?;
                let file = files::hold(tx, repo.id, path).await?.ok_or_else(not_found)?;
                if file.version_id != holding.version.id {
                    return Err(not_found());
                }
                if file.published.is_some() && !window::may_take_down(caller) {
                    window::check_upload(house, repo, &holding.version, log.at)?;
                }
                publish::free_published(tx, &file).await?;
                publish::free_staged(tx, &file).await?;
                files::delete(tx, &file).await?;
                if file.published.is_some() {
                    versions::add_published(tx, file.version_id, -1, log.at).await?;
                    derive::refresh(tx, house, repo, std::slice::from_ref(&file), log.at).await?;
                }
                publish::touch(tx, &holding).await?;
                holding.tell(tx, Kind::Delete, Some(path)).await?;
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await
}
