//! The transaction of an upload: from stored content to files of a version.

use std::sync::Arc;

use database::{
    Database, Read, Tx,
    catalogue::{packages, versions},
    content::files,
};
use model::{
    access::Right, address::VersionAddress, audit::NewAuditRecord, event::EventKind, file_path::FilePath,
    id::VersionId, version::VersionProfile,
};

use crate::{
    Caller, House, PackageAccess, Result,
    access::{self, PackageScope},
    accounts::storage_quotas::{self, By},
    audit::{entry, record as write_down},
    catalogue::{
        tombstones,
        versions::{VersionDraft, insert_new},
    },
    content::{
        UploadFlags,
        publish::finish_publish,
        received_file::ReceivedFile,
        signed_write::{self, SignedWrite},
        upload_plan::{PlannedUpload, UploadPlan},
        version_target::{VersionTarget, lock_package},
    },
    events::webhooks::Subscriptions,
    fault, indexes,
    signing::{SigningOptions, signatures::Signatures, signer::Signer},
};

/// Stored content that will become files of a version, all or none.
#[derive(Debug)]
pub(super) struct NewFiles {
    pub(super) version: VersionAddress,
    /// The package as it was found before the body was read.
    pub(super) package: Arc<PackageAccess>,
    pub(super) flags: UploadFlags,
    pub(super) files: Vec<ReceivedFile>,
}

/// Records the files durably. Files that are published are signed if the repository signs files.
pub(super) async fn record(house: &House, caller: &Caller, arrival: &NewFiles, with: &SigningOptions) -> Result<()> {
    let log = entry(house, caller, "content.publish", &arrival.version, "upload");
    let new_version_id = VersionId::new(house.next_id());
    let signer = if arrival.flags.publish {
        Signer::of_repo(house, caller, &arrival.package.repo.repo, with).await?
    } else {
        Signer::none(house)
    };
    let written = signed_write::run(signer, &Record { house, caller, arrival, new_version_id, log }).await;
    fault::point("upload: committed");
    if written.is_ok() && arrival.flags.publish {
        indexes::settle(house, caller, &arrival.package.repo.repo, with).await;
    }
    written
}

/// Records the files, and publishes them if the upload asks for that.
struct Record<'r> {
    house: &'r House,
    caller: &'r Caller,
    arrival: &'r NewFiles,
    new_version_id: VersionId,
    log: NewAuditRecord,
}

/// The version of an upload.
struct UploadedVersion<'r> {
    target: VersionTarget<'r>,
    /// Whether it does not exist yet.
    is_new: bool,
}

impl<'r> SignedWrite for Record<'r> {
    type Target = UploadedVersion<'r>;
    type Plan = UploadPlan<'r>;
    type Output = ();

    async fn find(&self, db: &Database) -> Result<UploadedVersion<'r>> {
        let (first, others) = self.scopes();
        let package = access::package(db, self.caller, first, Right::Publish).await?;
        self.check_others(db, others).await?;
        // The transaction checks new paths only after it has inserted their rows. Check here too, so that nothing is
        // signed that the transaction will reject.
        for file in &self.arrival.files {
            if files::find(db, package.package.repo_id, &file.path).await?.is_none() {
                tombstones::check(db, &package.repo.repo, &file.path, file.blob.sha256).await?;
            }
        }
        self.in_package(db, package).await
    }

    async fn lock(&self, tx: &mut Tx) -> Result<UploadedVersion<'r>> {
        let (first, others) = self.scopes();
        let package = lock_package(tx, self.house, self.caller, first).await?;
        self.check_others(tx, others).await?;
        self.in_package(tx, package).await
    }

    async fn plan(&self, db: &impl Read, version: &UploadedVersion<'r>, key: Option<&str>) -> Result<UploadPlan<'r>> {
        UploadPlan::read(db, self.arrival, &version.target, key).await
    }

    async fn apply(
        &self,
        tx: &mut Tx,
        version: UploadedVersion<'r>,
        plan: UploadPlan<'r>,
        signatures: &Signatures,
    ) -> Result<()> {
        let target = self.make_version(tx, version).await?;
        let uploaded: Vec<&FilePath> = plan.files.iter().filter_map(PlannedUpload::uploaded_path).collect();
        for planned in plan.files {
            planned.apply(tx, &target, self.arrival.flags).await?;
        }
        target.record_of_files(tx, EventKind::Upload, &uploaded).await?;
        // A publish touches both rows itself.
        if plan.is_changed && !self.arrival.flags.publish {
            versions::touch(tx, target.version.id, target.now).await?;
            packages::touch(tx, target.package.package.id, target.now).await?;
        }
        let by = By { caller: self.caller, access: &target.package.repo };
        storage_quotas::check_added(tx, self.house, by, plan.added).await?;
        if let Some(publish) = plan.publish {
            finish_publish(tx, &target, publish, signatures).await?;
            // Only published content is audited. An audit record for each staged file would serialize uploads.
            write_down(tx, &self.log).await?;
        }
        fault::point("upload: rows written");
        Ok(())
    }
}

impl<'r> Record<'r> {
    /// The scopes that the caller must be allowed to publish in: the first file, and the others.
    fn scopes(&self) -> (PackageScope<'r>, impl Iterator<Item = PackageScope<'r>> + Send + use<'r>) {
        let NewFiles { version, files, .. } = self.arrival;
        let mut scopes = files.iter().map(move |file| PackageScope::file(version, &file.path));
        (scopes.next().unwrap_or_else(|| version.into()), scopes)
    }

    /// Checks the other files as well if the caller uses an access key, because the rights of a key may depend on the
    /// path.
    async fn check_others(&self, db: &impl Read, others: impl Iterator<Item = PackageScope<'r>> + Send) -> Result<()> {
        for scope in others.filter(|_| self.caller.key().is_some()) {
            access::package(db, self.caller, scope, Right::Publish).await?;
        }
        Ok(())
    }

    async fn in_package(&self, db: &impl Read, package: PackageAccess) -> Result<UploadedVersion<'r>> {
        let found = versions::find(db, package.package.id, &self.arrival.version.version).await?;
        let (house, caller, now, is_new) = (self.house, self.caller, self.log.at, found.is_none());
        let version = found.unwrap_or_else(|| self.draft().version(package.package.id, 0));
        let subscriptions = Subscriptions::default();
        Ok(UploadedVersion { target: VersionTarget { house, caller, package, version, now, subscriptions }, is_new })
    }

    /// Inserts the version if it is new.
    async fn make_version(&self, tx: &mut Tx, found: UploadedVersion<'r>) -> Result<VersionTarget<'r>> {
        let UploadedVersion { mut target, is_new } = found;
        if is_new {
            target.version = insert_new(tx, &target.package.package, self.draft()).await?;
        }
        Ok(target)
    }

    fn draft(&self) -> VersionDraft<'r> {
        let (id, name) = (self.new_version_id, &self.arrival.version.version);
        VersionDraft { id, name, profile: VersionProfile::default(), now: self.log.at }
    }
}
