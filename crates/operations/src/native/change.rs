//! Changes that native clients ask for.

use std::collections::BTreeSet;

use database::{catalogue::versions, content::published_files};
use model::{
    access::Right,
    address::{PackageAddress, RepoAddress, VersionAddress},
    names::{PackageName, VersionName},
    package::PackageChange,
};

use crate::{
    Caller, Error, House, Result,
    access::{self, RepoGrants},
    catalogue::{
        packages,
        versions::{self as catalogue_versions, VersionChange},
        window,
    },
    content::{self, delete, delete_package, delete_version},
    format::{NativeAnswer, NativeCall, NativeChange},
    native::{native_of, row_changes},
    signing::SigningOptions,
};

/// Applies changes, in their order, and returns the format's answer.
#[boxed::future]
pub async fn change(
    house: &House,
    caller: &Caller,
    at: &RepoAddress,
    call: &NativeCall<'_>,
    changes: &[NativeChange],
) -> Result<NativeAnswer> {
    let reach = RepoGrants::find(&house.db, caller, at, Right::Publish).await?;
    let native = native_of(house, &reach.enter_any(caller, Right::Publish)?)?;
    apply(house, caller, at, changes).await?;
    Ok(native.done(call))
}

/// Applies changes. Neighbouring changes of marks and tags of one package are one transaction; each deletion is its own.
#[boxed::future]
pub(super) async fn apply(house: &House, caller: &Caller, at: &RepoAddress, changes: &[NativeChange]) -> Result<()> {
    let is_one_step = |one: &NativeChange, next: &NativeChange| match (row_change_of(one), row_change_of(next)) {
        (Some(one), Some(next)) => one == next,
        _ => false,
    };
    for step in changes.chunk_by(is_one_step) {
        let address = |package: &PackageName| PackageAddress { repo: at.clone(), package: package.clone() };
        match &step[0] {
            NativeChange::KeepVersions { package, versions } => {
                delete_other_versions(house, caller, &address(package), versions).await?;
            }
            NativeChange::DeleteVersion { package, version } => {
                let version = VersionAddress { package: address(package), version: version.clone() };
                remove_version(house, caller, &version).await?;
            }
            NativeChange::DeleteFolder { package, version, folder } => {
                let version = VersionAddress { package: address(package), version: version.clone() };
                delete_folder(house, caller, &version, folder).await?;
            }
            NativeChange::Describe { package, version, description } => {
                describe(house, caller, &address(package), version.as_ref(), description.as_ref()).await?;
            }
            NativeChange::PublishStaged { package, version } => {
                let version = VersionAddress { package: address(package), version: version.clone() };
                content::publish(house, caller, &version, &SigningOptions::default()).await?;
            }
            NativeChange::DeletePackage { package } => delete_package(house, caller, &address(package)).await?,
            first => {
                if let Some(package) = row_change_of(first) {
                    row_changes::apply(house, caller, &address(package), step).await?;
                }
            }
        }
    }
    Ok(())
}

/// The package whose marks or tags a change is about.
fn row_change_of(change: &NativeChange) -> Option<&PackageName> {
    match change {
        NativeChange::Mark { package, .. }
        | NativeChange::SetTag { package, .. }
        | NativeChange::DeleteTag { package, .. } => Some(package),
        NativeChange::Describe { .. }
        | NativeChange::PublishStaged { .. }
        | NativeChange::KeepVersions { .. }
        | NativeChange::DeleteVersion { .. }
        | NativeChange::DeleteFolder { .. }
        | NativeChange::DeletePackage { .. } => None,
    }
}

/// Creates a package and a version unless they exist, and sets the description of the last of them.
async fn describe(
    house: &House,
    caller: &Caller,
    at: &PackageAddress,
    version: Option<&VersionName>,
    description: Option<&String>,
) -> Result<()> {
    let own = description.filter(|_| version.is_none()).cloned();
    let change = PackageChange { description: own, ..PackageChange::default() };
    match access::package(&house.db, caller, at, Right::Publish).await {
        Err(Error::NotFound { what: "Package", .. }) => drop(packages::create(house, caller, at, change).await?),
        Err(error) => return Err(error),
        Ok(_) if change.description.is_some() => packages::edit(house, caller, at, change).await?,
        Ok(_) => {}
    }
    let Some(version) = version else { return Ok(()) };
    let at = VersionAddress { package: at.clone(), version: version.clone() };
    let change = VersionChange { description: description.cloned(), ..VersionChange::default() };
    match catalogue_versions::create(house, caller, &at, change.clone()).await {
        Err(Error::Conflict(_)) if change.description.is_some() => {
            catalogue_versions::edit(house, caller, &at, change).await
        }
        Err(Error::Conflict(_)) => Ok(()),
        other => other.map(drop),
    }
}

/// Deletes a version, or finds it gone.
async fn remove_version(house: &House, caller: &Caller, at: &VersionAddress) -> Result<()> {
    match delete_version(house, caller, at).await {
        Err(Error::NotFound { what: "Version", .. }) => Ok(()),
        other => other,
    }
}

/// Deletes the published files of a version below a folder, the last path first: in the format that asks for this, it is
/// the file that completes the others.
async fn delete_folder(house: &House, caller: &Caller, at: &VersionAddress, folder: &str) -> Result<()> {
    let package = access::package(&house.db, caller, &at.package, Right::Publish).await?.package;
    let missing = || Error::NotFound { what: "Folder", name: folder.to_owned() };
    let version = versions::find(&house.db, package.id, &at.version).await?.ok_or_else(missing)?;
    let files = published_files::of_version(&house.db, version.id).await?;
    let mut gone: Vec<_> = files.into_iter().filter(|file| file.path.as_str().starts_with(folder)).collect();
    if gone.is_empty() {
        return Err(missing());
    }
    gone.sort_by(|one, other| other.path.cmp(&one.path));
    for file in gone {
        delete(house, caller, &at.package.repo, &file.path).await?;
    }
    Ok(())
}

/// Deletes the published versions that are not in the list. Clients have never seen the others. Nothing is deleted if
/// one of them may not be.
async fn delete_other_versions(house: &House, caller: &Caller, at: &PackageAddress, kept: &[String]) -> Result<()> {
    let package = access::package(&house.db, caller, at, Right::Publish).await?.package;
    let kept: BTreeSet<&str> = kept.iter().map(String::as_str).collect();
    let mut gone = versions::list_published(&house.db, package.id).await?;
    gone.retain(|version| !kept.contains(version.name.as_str()));
    for version in &gone {
        window::check_delete(house, caller, version, house.clock.now())?;
    }
    for version in gone {
        remove_version(house, caller, &VersionAddress { package: at.clone(), version: version.name }).await?;
    }
    Ok(())
}
