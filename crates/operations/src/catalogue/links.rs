//! Packages linked into other repositories.

use database::{
    ScopedFutureExt, Tx,
    catalogue::{
        links::{self, Link},
        packages,
    },
};
use model::{
    access::Right,
    address::{PackageAddress, RepoAddress},
    file_path::FilePath,
};

use crate::{
    Caller, Error, House, RepoAccess, Result, access,
    audit::{entry, record},
};

/// Links a package that the caller may read into a repository that the caller owns.
#[boxed::future]
pub async fn create(
    house: &House,
    caller: &Caller,
    at: &RepoAddress,
    source: &PackageAddress,
    path_prefix: Option<FilePath>,
) -> Result<()> {
    access::repo(&house.db, caller, at, Right::Own).await?;
    access::own_package(&house.db, caller, source, Right::Read).await?;
    let prefix = path_prefix.as_ref().map(FilePath::as_str);
    let log = &entry(house, caller, "link.create", at, source);
    house
        .db
        .write(|tx| {
            async move {
                let repo = access::lock_repo(tx, caller, at, Right::Own).await?;
                let package = access::own_package(tx, caller, source, Right::Read).await?.package;
                let link = Link {
                    repo_id: repo.repo.id,
                    package_id: package.id,
                    name: package.name,
                    path_prefix: prefix.map(str::to_owned),
                    created: log.at,
                };
                insert(tx, &repo, &link, source).await?;
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await
}

/// Inserts a link. A name is unique in a repository, for its own and linked packages together.
async fn insert(tx: &mut Tx, repo: &RepoAccess, link: &Link, source: &PackageAddress) -> Result<()> {
    if packages::has_name(tx, repo.repo.id, &link.name).await? {
        return Err(Error::Conflict(format!("Package '{}' already exists", link.name)));
    }
    match links::insert(tx, link).await {
        Err(database::Error::Conflict) => Err(Error::Conflict(format!("Package '{}' is already linked", link.name))),
        // Deleted while it was being linked.
        Err(database::Error::Missing) => Err(Error::NotFound { what: "Package", name: source.package.to_string() }),
        other => Ok(other?),
    }
}

/// Removes a link from a repository that the caller owns. The caller need not be allowed to read the package any more:
/// a link that no caller could remove would occupy its name forever.
#[boxed::future]
pub async fn delete(house: &House, caller: &Caller, at: &RepoAddress, source: &PackageAddress) -> Result<()> {
    access::repo(&house.db, caller, at, Right::Own).await?;
    let log = &entry(house, caller, "link.delete", at, source);
    house
        .db
        .write(|tx| {
            async move {
                let repo = access::lock_repo(tx, caller, at, Right::Own).await?.repo;
                if !links::delete(tx, repo.id, source).await? {
                    return Err(Error::NotFound { what: "Link", name: source.to_string() });
                }
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await
}
