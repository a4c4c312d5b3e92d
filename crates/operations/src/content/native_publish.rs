//! What a native publish does beyond an upload: it makes the package, fills its profile and sets tags.

use std::{
    collections::BTreeSet,
    sync::atomic::{AtomicBool, Ordering},
};

use database::{
    Read, Tx,
    catalogue::{packages, repos},
    content::{files, tags},
};
use model::{
    access::Right,
    address::VersionAddress,
    audit::NewAuditRecord,
    id::{PackageId, RepoId},
    package::{Package, PackageProfile},
    timestamp::Timestamp,
};

use crate::{
    Caller, Error, House, PackageAccess, Result,
    access::{self, PackageScope},
    audit::{entry, record, record_edits},
    catalogue::packages::{PackageDraft, insert_new},
    change::Edits,
    content::{
        empty_fields::missing,
        received_file::ReceivedFile,
        signature_place::newest,
        version_target::{VersionTarget, lock_package},
    },
    format::{Native, NativePublish},
};

/// The maximum number of tags of a package.
pub(crate) const PACKAGE_TAGS: usize = 1_000;

/// A native publish: what its body asks for, and the format that has interpreted it.
pub(crate) struct NativeTerms {
    pub(crate) native: &'static dyn Native,
    pub(crate) publish: NativePublish,
    /// Fills empty fields of the package.
    pub(crate) profile: PackageProfile,
    /// The id of the package if it is new.
    pub(crate) package_id: PackageId,
    /// When the publish began.
    pub(crate) now: Timestamp,
    /// Whether the transaction has found the version's files.
    pub(crate) is_repeated: AtomicBool,
}

impl NativeTerms {
    /// Returns the package for a caller who may publish in it, or a draft of it for one who may create it.
    pub(crate) async fn find(&self, db: &dyn Read, caller: &Caller, scope: PackageScope<'_>) -> Result<PackageAccess> {
        match access::package(db, caller, scope, Right::Publish).await {
            Err(Error::NotFound { what: "Package", .. }) => {
                let repo = access::repo(db, caller, &scope.package().repo, Right::Publish).await?;
                Ok(PackageAccess { package: self.draft(repo.repo.id), repo })
            }
            other => other,
        }
    }

    /// Does the same, with the package locked until the transaction ends, or the repository if the package is new.
    pub(super) async fn lock(
        &self,
        tx: &mut Tx,
        house: &House,
        caller: &Caller,
        scope: PackageScope<'_>,
    ) -> Result<PackageAccess> {
        let found = self.find(tx, caller, scope).await?;
        if self.is_new(&found.package) {
            repos::lock(tx, found.repo.repo.id).await?;
            let found = self.find(tx, caller, scope).await?;
            if self.is_new(&found.package) {
                return Ok(found);
            }
        }
        lock_package(tx, house, caller, scope).await
    }

    fn is_new(&self, package: &Package) -> bool {
        package.id == self.package_id
    }

    fn draft(&self, repo_id: RepoId) -> Package {
        let (id, name, now) = (self.package_id, &self.publish.package, self.now);
        PackageDraft { id, name, profile: self.profile.clone(), now }.package(repo_id)
    }

    /// Rejects files that exist with other content, and also those with the same if the format does.
    pub(super) async fn check(&self, db: &dyn Read, target: &VersionTarget<'_>, sent: &[ReceivedFile]) -> Result<()> {
        self.is_repeated.store(false, Ordering::Relaxed);
        for received in sent {
            let Some(file) = files::find(db, target.repo().id, &received.path).await? else { continue };
            if file.version_id != target.version.id {
                continue;
            }
            if let Some(refusal) = self.native.repeated(&self.publish) {
                self.is_repeated.store(true, Ordering::Relaxed);
                return Err(refusal.into());
            }
            let is_other = newest(&file).is_some_and(|content| content.blob_id != received.blob.id);
            if is_other && !self.native.replaces(&self.publish) {
                let name = received.path.file_name();
                return Err(Error::Conflict(format!("The file '{name}' already exists with other content")));
            }
        }
        Ok(())
    }

    /// Creates the package if it is new, or fills its empty fields.
    pub(super) async fn make_package(&self, tx: &mut Tx, access: &mut PackageAccess) -> Result<Option<Edits>> {
        if self.is_new(&access.package) {
            insert_new(tx, &access.package).await?;
            return Ok(None);
        }
        let change = missing(&access.package.profile, &self.profile);
        let mut edits = Edits::default();
        for edit in change.apply(&mut access.package.profile) {
            edits.record(edit.name, &edit.before, &edit.after);
        }
        if edits.is_empty() {
            return Ok(None);
        }
        packages::update(tx, access.package.id, &access.package.profile, self.now).await?;
        Ok(Some(edits))
    }

    /// Points the tags of the publish to its version.
    pub(super) async fn set_tags(&self, tx: &mut Tx, target: &VersionTarget<'_>) -> Result<()> {
        if self.publish.tags.is_empty() {
            return Ok(());
        }
        let package_id = target.package.package.id;
        let found = tags::list(tx, package_id).await?.into_iter().map(|tag| tag.name);
        let after: BTreeSet<String> = found.chain(self.publish.tags.iter().cloned()).collect();
        if after.len() > PACKAGE_TAGS {
            return Err(too_many_tags());
        }
        for tag in &self.publish.tags {
            tags::set(tx, package_id, tag, target.version.id, self.now).await?;
        }
        Ok(())
    }

    /// Records the creation or the change of the package. This must be the last step of the transaction.
    pub(super) async fn record_package(
        &self,
        tx: &mut Tx,
        target: &VersionTarget<'_>,
        at: &VersionAddress,
        filled: Option<&Edits>,
    ) -> Result<()> {
        let log = |action| -> NewAuditRecord {
            NewAuditRecord { at: self.now, ..entry(target.house, target.caller, action, &at.package, "native") }
        };
        match filled {
            None if self.is_new(&target.package.package) => record(tx, &log("package.create")).await,
            Some(edits) => record_edits(tx, &log("package.edit"), edits).await,
            None => Ok(()),
        }
    }
}

/// The error for one tag too many.
pub(crate) fn too_many_tags() -> Error {
    Error::Refused(format!("A package can have at most {PACKAGE_TAGS} tags"))
}
