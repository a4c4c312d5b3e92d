//! Deletes versions and packages with everything in them.

use database::{
    Read, Tx,
    catalogue::{packages, versions},
    content::{files, spent_names, stored_bytes, tombstones::TombstoneScope},
    oci::uses,
};
use model::{event::EventKind, file::File, repo::Repo, timestamp::Timestamp};

use crate::{
    House, PackageAccess, Result,
    catalogue::{latest, tombstones},
    content::{
        indexes::{IndexPlan, affected},
        package_indexes::{self, IndexChange},
        planned_rows::PlannedRows,
        taken_names,
        version_target::VersionTarget,
    },
    signing::signatures::Signatures,
};

/// Plans the indexes of a repository without these published files.
async fn without(
    db: &dyn Read,
    house: &House,
    repo: &Repo,
    published: &[File],
    now: Timestamp,
    key: Option<&str>,
) -> Result<IndexPlan> {
    let mut rows = PlannedRows::new(db, repo.id, now);
    published.iter().for_each(|file| rows.unpublish(&file.path));
    let format = house.format(&repo.kind);
    let affected = published.iter().flat_map(|file| affected(format, file)).collect();
    IndexPlan::read(&rows, house, repo, affected, key).await
}

/// Plans the indexes of the repository without the files of this version.
pub(crate) async fn plan_version(db: &dyn Read, target: &VersionTarget<'_>, key: Option<&str>) -> Result<IndexPlan> {
    let published = files::list_published(db, target.version.id).await?;
    without(db, target.house, target.repo(), &published, target.now, key).await
}

/// Deletes a version that the transaction has locked.
pub(crate) async fn delete_version(
    tx: &mut Tx,
    target: &VersionTarget<'_>,
    indexes: IndexPlan,
    signatures: &Signatures,
) -> Result<()> {
    let (package, id) = (&target.package.package, target.version.id);
    if target.house.format(&target.repo().kind).holds_images() {
        // What other versions of an image use stays, and is theirs from now on.
        uses::clear(tx, id).await?;
        uses::release(tx, package.repo_id, id).await?;
    }
    let bytes = stored_bytes::of_version(tx, id).await?;
    tombstones::add(tx, target.house, target.repo(), TombstoneScope::Version(id), target.now).await?;
    taken_names::free_version(tx, target).await?;
    versions::delete(tx, package.repo_id, id).await?;
    stored_bytes::add(tx, package.repo_id, id, -bytes).await?;
    indexes.apply(tx, package.repo_id, signatures, target.now).await?;
    if !target.version.is_draft {
        packages::touch(tx, package.id, target.now).await?;
    }
    latest::deleted(tx, target.house.format(&target.repo().kind), package.id).await?;
    let change = IndexChange::Version(target.version.ordinal);
    package_indexes::rebuild(tx, target.house, target.repo(), package.id, change, target.now).await?;
    target.record_event(tx, EventKind::Delete, None).await
}

/// Plans the indexes of the repository without the files of this package.
pub(crate) async fn plan_package(
    db: &dyn Read,
    house: &House,
    access: &PackageAccess,
    now: Timestamp,
    key: Option<&str>,
) -> Result<IndexPlan> {
    let published = files::list_published_of_package(db, access.package.id).await?;
    without(db, house, &access.repo.repo, &published, now, key).await
}

/// Deletes a package that the transaction has locked.
pub(crate) async fn delete_package(
    tx: &mut Tx,
    house: &House,
    access: &PackageAccess,
    indexes: IndexPlan,
    signatures: &Signatures,
    now: Timestamp,
) -> Result<()> {
    let package = &access.package;
    let bytes = stored_bytes::of_package(tx, package.id).await?;
    tombstones::add(tx, house, &access.repo.repo, TombstoneScope::Package(package.id), now).await?;
    spent_names::free_unpublished(tx, package.id).await?;
    packages::delete(tx, package).await?;
    stored_bytes::add(tx, package.repo_id, package.id, -bytes).await?;
    indexes.apply(tx, package.repo_id, signatures, now).await
}
