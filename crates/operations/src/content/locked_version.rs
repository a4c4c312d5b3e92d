//! What a transaction on content works on, held until its end.

use database::{
    Tx,
    catalogue::{packages, repos, versions::Version},
    events::EventKind,
};
use model::{access::Right, file_path::FilePath, timestamp::Timestamp};

use crate::{
    Caller, House, PackageAccess, Result,
    access::{self, PackageScope},
    events::{self, NewEvent},
};

/// A version that is being changed, by whom and when.
pub(crate) struct LockedVersion<'h> {
    pub(crate) house: &'h House,
    pub(crate) caller: &'h Caller,
    pub(crate) package: PackageAccess,
    pub(crate) version: Version,
    pub(crate) now: Timestamp,
}

/// Holds a package for a caller who may publish in it.
pub(crate) async fn hold_package(
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

impl LockedVersion<'_> {
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
