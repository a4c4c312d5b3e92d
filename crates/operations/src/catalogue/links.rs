//! Packages shown in other repositories.

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

/// Shows a package that the caller may read in a repository that the caller owns.
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
                let repo = access::hold_repo(tx, caller, at, Right::Own).await?;
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

/// A name stands once in a repository, whether the package is its own or linked in.
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

/// Stops showing a package in a repository that the caller owns. Whether the caller may still read the package does not
/// matter: a link that nobody could remove would keep its name for ever.
pub async fn delete(house: &House, caller: &Caller, at: &RepoAddress, source: &PackageAddress) -> Result<()> {
    access::repo(&house.db, caller, at, Right::Own).await?;
    let log = &entry(house, caller, "link.delete", at, source);
    house
        .db
        .write(|tx| {
            async move {
                let repo = access::hold_repo(tx, caller, at, Right::Own).await?.repo;
                if !links::delete(tx, repo.id, source).await? {
                    return Err(Error::NotFound { what: "Link", name: source.to_string() });
                }
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await
}
