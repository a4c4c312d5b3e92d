//! The version that a call changes.

use database::{
    Read, Tx,
    catalogue::{packages, repos, versions},
};
use model::{
    access::Right, address::VersionAddress, event::EventKind, file_path::FilePath, repo::Repo, timestamp::Timestamp,
    version::Version,
};

use crate::{
    Caller, Error, House, PackageAccess, Result,
    access::{self, PackageScope},
    events::{self, EventScope, NewEvent, webhooks::Subscriptions},
};

/// A version that is being changed, with the caller and the time of the change.
pub(crate) struct VersionTarget<'h> {
    pub(crate) house: &'h House,
    pub(crate) caller: &'h Caller,
    pub(crate) package: PackageAccess,
    pub(crate) version: Version,
    pub(crate) now: Timestamp,
    pub(crate) subscriptions: Subscriptions,
}

/// Locks a package for a caller who may publish in it.
pub(crate) async fn lock_package(
    tx: &mut Tx,
    house: &House,
    caller: &Caller,
    scope: PackageScope<'_>,
) -> Result<PackageAccess> {
    let found = access::package(tx, caller, scope, Right::Publish).await?;
    // Only one transaction at a time builds the indexes of a repository; otherwise one would miss what the other
    // publishes.
    if house.format(&found.repo.repo.kind).folder_indexes().is_some() {
        repos::lock(tx, found.repo.repo.id).await?;
    }
    if packages::lock(tx, found.package.id).await? {
        access::package(tx, caller, scope, Right::Publish).await
    } else {
        Ok(found)
    }
}

impl<'h> VersionTarget<'h> {
    /// Finds a version for a caller who may publish in it, or may change the file at one path of it.
    pub(crate) async fn find(
        db: &dyn Read,
        house: &'h House,
        caller: &'h Caller,
        at: &VersionAddress,
        path: Option<&FilePath>,
        now: Timestamp,
    ) -> Result<Self> {
        let package = access::package(db, caller, scope(at, path), Right::Publish).await?;
        Self::in_package(db, house, caller, at, package, now).await
    }

    /// Like `find`, with the package locked until the transaction ends.
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
        db: &dyn Read,
        house: &'h House,
        caller: &'h Caller,
        at: &VersionAddress,
        package: PackageAccess,
        now: Timestamp,
    ) -> Result<Self> {
        let version =
            versions::find(db, package.package.id, &at.version).await?.ok_or_else(|| Error::no_version(at))?;
        Ok(Self { house, caller, package, version, now, subscriptions: Subscriptions::default() })
    }

    /// The repository of the version.
    pub(crate) fn repo(&self) -> &Repo {
        &self.package.repo.repo
    }

    /// Records an event for the version, or for one of its files.
    pub(crate) async fn record_event(&self, tx: &mut Tx, kind: EventKind, path: Option<&FilePath>) -> Result<()> {
        match path {
            Some(path) => self.record_of_files(tx, kind, &[path]).await,
            None => self.record(tx, kind, EventScope::Version(&self.package.package, &self.version)).await,
        }
    }

    /// Records an event for each of these files. All at once, so that the webhooks are looked up only once.
    pub(crate) async fn record_of_files(&self, tx: &mut Tx, kind: EventKind, paths: &[&FilePath]) -> Result<()> {
        if paths.is_empty() {
            return Ok(());
        }
        self.record(tx, kind, EventScope::Files(&self.package.package, &self.version, paths)).await
    }

    async fn record(&self, tx: &mut Tx, kind: EventKind, scope: EventScope<'_>) -> Result<()> {
        let event = NewEvent { kind, at: self.now, repo: self.repo(), scope };
        events::record(tx, self.house, self.caller, event, &self.subscriptions).await
    }
}

fn scope<'a>(at: &'a VersionAddress, path: Option<&'a FilePath>) -> PackageScope<'a> {
    path.map_or_else(|| at.into(), |path| PackageScope::file(at, path))
}
