//! Versions of images: tags, and manifests without one.

use database::{
    Tx,
    catalogue::{packages, versions},
    content::{stored_bytes, tombstones::TombstoneScope},
    oci::{image_files::ImageFile, uses},
};
use model::{
    access::Right,
    address::PackageAddress,
    event::EventKind,
    id::{PackageId, VersionId},
    names::VersionName,
    package::PackageProfile,
    timestamp::Timestamp,
    version::{Version, VersionProfile},
};

use crate::{
    Caller, Error, House, PackageAccess, Result, access,
    catalogue::{
        latest,
        packages::{PackageDraft, insert_new as insert_package},
        tombstones,
        versions::{VersionDraft, insert_new},
    },
    events::{self, EventScope, NewEvent, webhooks::Subscriptions},
    oci::closure::set_uses,
};

/// A change of an image, in its transaction.
pub(super) struct ImageChange<'h> {
    pub(super) house: &'h House,
    pub(super) caller: &'h Caller,
    pub(super) package: PackageAccess,
    pub(super) now: Timestamp,
    pub(super) subscriptions: Subscriptions,
}

impl<'h> ImageChange<'h> {
    /// Locks the package of an image, for a caller who may publish in it.
    pub(super) async fn lock(
        tx: &mut Tx,
        house: &'h House,
        caller: &'h Caller,
        at: &PackageAddress,
        now: Timestamp,
    ) -> Result<Self> {
        let package = access::lock_package(tx, caller, at, Right::Publish).await?;
        Ok(Self { house, caller, package, now, subscriptions: Subscriptions::default() })
    }

    /// The same; a package that does not exist is made, for a caller who may publish in the whole repository.
    pub(super) async fn lock_or_make(
        tx: &mut Tx,
        house: &'h House,
        caller: &'h Caller,
        at: &PackageAddress,
        now: Timestamp,
    ) -> Result<Self> {
        match Self::lock(tx, house, caller, at, now).await {
            Err(Error::NotFound { what: "Package", .. }) => {}
            other => return other,
        }
        let repo = access::lock_repo(tx, caller, &at.repo, Right::Publish).await?;
        if packages::find(tx, repo.repo.id, &at.package).await?.is_some() {
            return Self::lock(tx, house, caller, at, now).await;
        }
        let (id, profile) = (PackageId::new(house.next_id()), PackageProfile::default());
        let package = PackageDraft { id, name: &at.package, profile, now }.package(repo.repo.id);
        insert_package(tx, &package).await?;
        let package = PackageAccess { repo, package };
        Ok(Self { house, caller, package, now, subscriptions: Subscriptions::default() })
    }

    /// Finds a version, or makes it.
    pub(super) async fn find_or_make(&self, tx: &mut Tx, name: &VersionName) -> Result<Version> {
        if let Some(version) = versions::find(tx, self.package.package.id, name).await? {
            return Ok(version);
        }
        let id = VersionId::new(self.house.next_id());
        let draft = VersionDraft { id, name, profile: VersionProfile::default(), now: self.now };
        insert_new(tx, &self.package.package, draft).await
    }

    /// Makes a version that is named by its digest for a manifest that no version reaches any more.
    pub(super) async fn insert_untagged(&self, tx: &mut Tx, root: &ImageFile) -> Result<()> {
        if uses::is_used(tx, root.id).await? {
            return Ok(());
        }
        let name = root.path.rsplit('/').next().unwrap_or_default();
        let name = VersionName::parse(name).map_err(|error| Error::Internal(error.to_string()))?;
        let version = self.find_or_make(tx, &name).await?;
        versions::publish(tx, &version, 0, self.now).await?;
        set_uses(tx, version.id, root, None).await
    }

    /// Ends a version that is named by a digest: a tag reaches all that it reached.
    pub(super) async fn end_untagged(&self, tx: &mut Tx, version: &Version) -> Result<()> {
        let repo_id = self.package.package.repo_id;
        uses::clear(tx, version.id).await?;
        uses::release(tx, repo_id, version.id).await?;
        let bytes = stored_bytes::of_version(tx, version.id).await?;
        versions::delete(tx, repo_id, version.id).await?;
        Ok(stored_bytes::add(tx, repo_id, version.id, -bytes).await?)
    }

    /// Deletes a version; what others reach stays.
    pub(super) async fn remove(&self, tx: &mut Tx, version: &Version) -> Result<()> {
        let repo = &self.package.repo.repo;
        uses::clear(tx, version.id).await?;
        uses::release(tx, repo.id, version.id).await?;
        let bytes = stored_bytes::of_version(tx, version.id).await?;
        tombstones::add(tx, self.house, repo, TombstoneScope::Version(version.id), self.now).await?;
        versions::delete(tx, repo.id, version.id).await?;
        stored_bytes::add(tx, repo.id, version.id, -bytes).await?;
        latest::deleted(tx, self.house.format(&repo.kind), version.package_id).await?;
        self.record(tx, EventKind::Delete, version).await
    }

    /// Records an event of a version.
    pub(super) async fn record(&self, tx: &mut Tx, kind: EventKind, version: &Version) -> Result<()> {
        let scope = EventScope::Version(&self.package.package, version);
        let event = NewEvent { kind, at: self.now, repo: &self.package.repo.repo, scope };
        events::record(tx, self.house, self.caller, event, &self.subscriptions).await
    }
}
