//! Deleting a package.

use database::{ScopedFutureExt, catalogue::repos, events::EventKind};
use model::{access::Right, address::PackageAddress};

use crate::{
    Caller, House, Result, access,
    audit::{entry, record},
    catalogue::window::{self, DeletionScope},
    content::{cascade, locked_version::hold_package, signing_session::Session},
    events::{self, NewEvent},
};

/// Deletes a package with everything in it.
pub async fn delete_package(house: &House, caller: &Caller, at: &PackageAddress) -> Result<()> {
    let repo = access::package(&house.db, caller, at, Right::Publish).await?.repo.repo;
    let log = &entry(house, caller, "package.delete", at, "");
    let session = Session::of_deletion(house, caller, &repo).await?;
    session
        .write(|tx, session| {
            async move {
                // The repository comes before the package, as when one is created: so no two wait for each other.
                let repo_id = access::package(tx, caller, at, Right::Publish).await?.repo.repo.id;
                repos::hold(tx, repo_id).await?;
                let access = hold_package(tx, house, caller, at.into()).await?;
                let package = &access.package;
                window::check_delete_all(tx, house, caller, DeletionScope::Package(package.id), log.at).await?;
                cascade::delete_package(tx, house, &access, session, log.at).await?;
                let (repo, package) = (&access.repo.repo, package.name.as_str());
                let deleted = NewEvent { kind: EventKind::Delete, repo, package, version: "", path: None };
                events::record(tx, house, caller, log.at, deleted).await?;
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await
}
