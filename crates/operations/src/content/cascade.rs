//! Deleting versions and packages with everything in them.

use database::{
    Tx,
    catalogue::{packages, versions},
    content::{files, stored_bytes, tombstones::Scope},
    events::EventKind,
};
use model::timestamp::Timestamp;

use crate::{
    House, PackageAccess, Result,
    catalogue::tombstones,
    content::{indexes, locked_version::LockedVersion, signing_session::Session},
};

/// Deletes a version that the transaction holds.
pub(crate) async fn delete_version(tx: &mut Tx, holding: &LockedVersion<'_>, session: &Session<'_>) -> Result<()> {
    let (package, id) = (&holding.package.package, holding.version.id);
    let published = files::list_published(tx, id).await?;
    let bytes = stored_bytes::of_version(tx, id).await?;
    tombstones::keep(tx, holding.house, &holding.package.repo.repo, Scope::Version(id), holding.now).await?;
    versions::delete(tx, package.repo_id, id).await?;
    stored_bytes::add(tx, package.repo_id, id, -bytes).await?;
    indexes::rebuild_affected(tx, holding.house, &holding.package.repo.repo, &published, session, holding.now).await?;
    packages::touch(tx, package.id, holding.now).await?;
    holding.tell(tx, EventKind::Delete, None).await
}

/// Deletes a package that the transaction holds.
pub(crate) async fn delete_package(
    tx: &mut Tx,
    house: &House,
    access: &PackageAccess,
    session: &Session<'_>,
    now: Timestamp,
) -> Result<()> {
    let package = &access.package;
    let published = files::list_published_of_package(tx, package.id).await?;
    let bytes = stored_bytes::of_package(tx, package.id).await?;
    tombstones::keep(tx, house, &access.repo.repo, Scope::Package(package.id), now).await?;
    packages::delete(tx, package).await?;
    stored_bytes::add(tx, package.repo_id, package.id, -bytes).await?;
    indexes::rebuild_affected(tx, house, &access.repo.repo, &published, session, now).await
}
