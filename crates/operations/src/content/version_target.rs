//! The version that a call changes.

use database::{
    Read, Tx,
    catalogue::{
        packages,
        repos::{self, Repo},
        versions::{self, Version},
    },
    events::EventKind,
};
use model::{access::Right, address::VersionAddress, file_path::FilePath, timestamp::Timestamp};

use crate::{
    Caller, Error, House, PackageAccess, Result,
    access::{self, PackageScope},
    events::{self, NewEvent},
};

/// A version that is being changed, by whom and when.
pub(crate) struct VersionTarget<'h> {
    pub(crate) house: &'h House,
    pub(crate) caller: &'h Caller,
    pub(crate) package: PackageAccess,
    pub(crate) version: Version,
    pub(crate) now: Timestamp,
}

/// Locks a package for a caller who may publish in it.
pub(crate) async fn lock_package(
    tx: &mut Tx,
    house: &House,
    caller: &Caller,
    spot: PackageScope<'_>,
) -> Result<PackageAccess> {
    let found = access::package(tx, caller, spot, Right::Publish).await?;
    // Indexes of a repository are built by one transaction at a time, or one would miss what the other publishes.
    if house.format(&found.repo.repo.kind).builds_indexes() {
        repos::hold(tx, found.repo.repo.id).await?;
    }
    if packages::hold(tx, found.package.id).await? {
        access::package(tx, caller, spot, Right::Publish).await
    } else {
        Ok(found)
    }
}

impl<'h> VersionTarget<'h> {
    /// Finds a version for a caller who may publish in it, or may change the file at one path of it.
    pub(crate) async fn find(
        db: &impl Read,
        house: &'h House,
        caller: &'h Caller,
        at: &VersionAddress,
        path: Option<&FilePath>,
        now: Timestamp,
    ) -> Result<Self> {
        let package = access::package(db, caller, scope(at, path), Right::Publish).await?;
        Self::in_package(db, house, caller, at, package, now).await
    }

    /// The same, with the package locked until the transaction ends.
    pub(crate) async fn lock(
        tx: &mut Tx,
        house: &'h House,
        caller: &'h Caller,
        at: &VersionAddress,
        path: Option<&FilePath>,
        now: Timestamp,
    ) -> Result<Self> {
        let package = lock_package(tx, house, caller, scope(at, path)).await?;
        Self::in_package(tx, house, caller, at, package, now).await
    }

    async fn in_package(
        db: &impl Read,
        house: &'h House,
        caller: &'h Caller,
        at: &VersionAddress,
        package: PackageAccess,
        now: Timestamp,
    ) -> Result<Self> {
        let version =
            versions::find(db, package.package.id, &at.version).await?.ok_or_else(|| Error::no_version(at))?;
        Ok(Self { house, caller, package, version, now })
    }

    /// The repository that it is in.
    pub(crate) fn repo(&self) -> &Repo {
        &self.package.repo.repo
    }

    /// Writes down what happened to the version, or to one of its files.
    pub(crate) async fn tell(&self, tx: &mut Tx, kind: EventKind, path: Option<&FilePath>) -> Result<()> {
        let happened = NewEvent {
            kind,
            repo: &self.package.repo.repo,
            package: self.package.package.name.as_str(),
            version: self.version.name.as_str(),
            path,
        };
        events::record(tx, self.house, self.caller, self.now, happened).await
    }
}

fn scope<'a>(at: &'a VersionAddress, path: Option<&'a FilePath>) -> PackageScope<'a> {
    path.map_or_else(|| at.into(), |path| PackageScope::file(at, path))
}
