//! The packages of a product.

use database::{
    Tx,
    access::product_packages,
    catalogue::{packages, repos},
};
use model::{
    id::PackageId,
    names::{PackageName, RepoName},
    subject::Subject,
};

use crate::{Error, Result, access::products::ProductChange};

/// Replaces the packages of a product, if the change contains a list.
pub(super) async fn set(tx: &mut Tx, owner: &Subject, product_id: i64, change: &ProductChange) -> Result<()> {
    let Some(names) = &change.packages else { return Ok(()) };
    let mut ids = Vec::new();
    for name in names {
        let id = package_id(tx, owner, name).await?.ok_or_else(|| unknown_package(name))?;
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    match product_packages::set(tx, product_id, &ids).await {
        // Deleted while it was being added.
        Err(database::Error::Missing) => Err(Error::invalid("packages", "one of them does not exist any more")),
        other => Ok(other?),
    }
}

/// Returns the id of the owner's package `repo/package`. A linked package belongs to a different owner.
async fn package_id(tx: &Tx, owner: &Subject, name: &str) -> Result<Option<PackageId>> {
    let Some((repo, package)) = name.split_once('/') else { return Ok(None) };
    let (Ok(repo), Ok(package)) = (RepoName::parse(repo), PackageName::parse(package)) else { return Ok(None) };
    let Some(found) = repos::find(tx, &owner.name, &repo, None).await? else { return Ok(None) };
    Ok(packages::find(tx, found.repo.id, &package).await?.map(|package| package.id))
}

fn unknown_package(name: &str) -> Error {
    let name: String = name.chars().take(220).collect();
    Error::invalid("packages", format!("Package '{name}' does not exist"))
}
