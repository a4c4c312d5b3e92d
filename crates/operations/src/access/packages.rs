//! Access to packages.

use database::{
    Read, Tx,
    catalogue::{links, packages, versions},
};
use model::{
    access::{GrantTarget, Right},
    address::{PackageAddress, VersionAddress},
    file_path::FilePath,
    names::VersionName,
    package::Package,
    version::Version,
};

use crate::{Caller, Error, RepoAccess, Result, access::RepoGrants};

/// A package and its repository.
#[derive(Debug, Clone)]
pub struct PackageAccess {
    /// The repository, and the caller's right in it.
    pub repo: RepoAccess,
    /// The package.
    pub package: Package,
}

impl PackageAccess {
    /// Returns a version of it, for this caller: drafts are visible to publishers only.
    pub(crate) async fn version(&self, db: &dyn Read, name: &VersionName) -> Result<Option<Version>> {
        let found = versions::find(db, self.package.id, name).await?;
        Ok(found.filter(|version| self.repo.is_publisher() || !version.is_draft))
    }
}

/// The scope inside a package: all of it, one version, or one path.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PackageScope<'a> {
    at: &'a PackageAddress,
    version: Option<&'a VersionName>,
    path: Option<&'a FilePath>,
}

impl<'a> From<&'a PackageAddress> for PackageScope<'a> {
    fn from(at: &'a PackageAddress) -> Self {
        Self { at, version: None, path: None }
    }
}

impl<'a> From<&'a VersionAddress> for PackageScope<'a> {
    fn from(at: &'a VersionAddress) -> Self {
        Self { at: &at.package, version: Some(&at.version), path: None }
    }
}

impl<'a> PackageScope<'a> {
    /// The scope of a package, or of one of its versions.
    pub(crate) fn of_package(at: &'a PackageAddress, version: Option<&'a VersionName>) -> Self {
        Self { at, version, path: None }
    }

    /// The scope of an upload at a path of a package, before its path is parsed.
    pub(crate) fn upload(at: &'a PackageAddress, version: Option<&'a VersionName>, path: &'a FilePath) -> Self {
        Self { at, version, path: Some(path) }
    }

    /// The package of this scope.
    pub(crate) fn package(&self) -> &'a PackageAddress {
        self.at
    }

    /// The scope of a file at a path, which this version has or receives.
    pub(crate) fn file(at: &'a VersionAddress, path: &'a FilePath) -> Self {
        Self { path: Some(path), ..Self::from(at) }
    }
}

/// Returns the package, for a caller who has this right there.
pub(crate) async fn package(
    db: &dyn Read,
    caller: &Caller,
    scope: impl Into<PackageScope<'_>>,
    needed: Right,
) -> Result<PackageAccess> {
    let scope = scope.into();
    let reach = RepoGrants::find(db, caller, &scope.at.repo, needed).await?;
    match enter(db, caller, &reach, scope, needed).await? {
        (repo, Some(package)) => Ok(PackageAccess { repo, package }),
        (repo, None) => linked_package(db, caller, &repo, scope, needed).await,
    }
}

/// Checks the caller's right. Without grants in parts, the answer does not wait for the package, so that a hidden one
/// takes as long.
async fn enter(
    db: &dyn Read,
    caller: &Caller,
    reach: &RepoGrants,
    scope: PackageScope<'_>,
    needed: Right,
) -> Result<(RepoAccess, Option<Package>)> {
    if !reach.has_parts() {
        let repo = reach.enter(caller, needed, GrantTarget::default())?;
        let package = packages::find(db, repo.repo.id, &scope.at.package).await?;
        return Ok((repo, package));
    }
    let package = packages::find(db, reach.repo_id(), &scope.at.package).await?;
    let version = match (&package, scope.version) {
        (Some(package), Some(name)) => versions::find(db, package.id, name).await?,
        _ => None,
    };
    let place = GrantTarget {
        package_id: package.as_ref().map(|package| package.id),
        version_id: version.map(|version| version.id),
        path: scope.path.map(FilePath::as_str),
    };
    Ok((reach.enter(caller, needed, place)?, package))
}

/// Returns a package that the repository links to and another one owns, as it is there. Here it is read-only.
async fn linked_package(
    db: &dyn Read,
    caller: &Caller,
    showing: &RepoAccess,
    scope: PackageScope<'_>,
    needed: Right,
) -> Result<PackageAccess> {
    let name = &scope.at.package;
    let not_found = || Error::NotFound { what: "Package", name: name.to_string() };
    let source = links::find_source(db, showing.repo.id, name).await?.ok_or_else(not_found)?;
    let source = PackageAddress { repo: source, package: name.clone() };
    let access = own_package(db, caller, &source, Right::Read).await;
    // Callers who may not read the source repository may not learn that this one links to the package.
    let access = access.map_err(|error| if matches!(error, Error::NotFound { .. }) { not_found() } else { error })?;
    if needed > Right::Read {
        let reason = format!("Package '{name}' is linked from '{}' and can be changed only there", source.repo);
        return Err(Error::Denied(reason));
    }
    Ok(access)
}

/// Returns the package at this address, if the repository owns it.
pub(crate) async fn own_package(
    db: &dyn Read,
    caller: &Caller,
    at: &PackageAddress,
    needed: Right,
) -> Result<PackageAccess> {
    let reach = RepoGrants::find(db, caller, &at.repo, needed).await?;
    let (repo, package) = enter(db, caller, &reach, at.into(), needed).await?;
    let package = package.ok_or_else(|| Error::NotFound { what: "Package", name: at.package.to_string() })?;
    Ok(PackageAccess { repo, package })
}

/// Returns the package inside a transaction and locks it until the end.
pub(crate) async fn lock_package(
    tx: &mut Tx,
    caller: &Caller,
    scope: impl Into<PackageScope<'_>>,
    needed: Right,
) -> Result<PackageAccess> {
    let scope = scope.into();
    let found = package(tx, caller, scope, needed).await?;
    if packages::lock(tx, found.package.id).await? { package(tx, caller, scope, needed).await } else { Ok(found) }
}
