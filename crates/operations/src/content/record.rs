//! The transaction of an upload: from stored content to files of a version.

use database::{Database, Read, Tx, catalogue::versions, content::files};
use model::{
    access::Right, audit::NewAuditRecord, event::EventKind, file_path::FilePath, id::VersionId, version::VersionProfile,
};

use crate::{
    Caller, House, PackageAccess, Result, access,
    accounts::storage_quotas::{self, By},
    audit::{entry, record as write_down},
    catalogue::{
        tombstones, updates,
        versions::{VersionDraft, insert_row},
    },
    content::{
        native_publish::NativeTerms,
        new_files::check_others,
        package_indexes::{self, IndexChange},
        publish::finish_publish,
        same_package,
        signed_write::{self, SignedWrite},
        upload_plan::{PlannedUpload, UploadPlan},
        version_target::{VersionTarget, lock_package},
    },
    events::webhooks::Subscriptions,
    fault, indexes,
    signing::{SigningOptions, signatures::Signatures, signer::Signer},
};

pub(super) use crate::content::new_files::NewFiles;

/// Records the files durably. Files that are published are signed if the repository signs files.
pub(super) async fn record(house: &House, caller: &Caller, arrival: &NewFiles, with: &SigningOptions) -> Result<()> {
    let log = entry(house, caller, "content.publish", &arrival.version, "upload");
    run(Record { house, caller, arrival, new_version_id: VersionId::new(house.next_id()), log, native: None }, with)
        .await
}

/// Records the files of a native publish, whose package may be new.
pub(super) async fn record_native(
    house: &House,
    caller: &Caller,
    arrival: &NewFiles,
    terms: &NativeTerms,
) -> Result<()> {
    let log = entry(house, caller, "content.publish", &arrival.version, "native");
    let log = NewAuditRecord { at: terms.now, ..log };
    let new_version_id = VersionId::new(house.next_id());
    let write = Record { house, caller, arrival, new_version_id, log, native: Some(terms) };
    run(write, &SigningOptions::default()).await
}

async fn run(write: Record<'_>, with: &SigningOptions) -> Result<()> {
    let Record { house, caller, arrival, .. } = write;
    let signer = if arrival.flags.publish {
        Signer::of_repo(house, caller, &arrival.package.repo.repo, with).await?
    } else {
        Signer::none(house)
    };
    let written = signed_write::run(signer, &write).await;
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
    /// Present if the files came from a native client.
    native: Option<&'r NativeTerms>,
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
        let (first, others) = self.arrival.scopes();
        let package = match self.native {
            Some(terms) => terms.find(db, self.caller, first).await?,
            None => access::package(db, self.caller, first, Right::Publish).await?,
        };
        check_others(db, self.caller, others).await?;
        // The transaction checks new paths only after it has inserted their rows. Check here too, so that nothing is
        // signed that the transaction will reject.
        for file in &self.arrival.files {
            if files::find(db, package.package.repo_id, &file.path).await?.is_none() {
                tombstones::check(db, self.house, &package.repo.repo, &file.path, file.blob.sha256).await?;
            }
        }
        self.in_package(db, package).await
    }

    async fn lock(&self, tx: &mut Tx) -> Result<UploadedVersion<'r>> {
        let (first, others) = self.arrival.scopes();
        let package = match self.native {
            Some(terms) => terms.lock(tx, self.house, self.caller, first).await?,
            None => lock_package(tx, self.house, self.caller, first).await?,
        };
        check_others(tx, self.caller, others).await?;
        self.in_package(tx, package).await
    }

    async fn plan(&self, db: &dyn Read, version: &UploadedVersion<'r>, key: Option<&str>) -> Result<UploadPlan<'r>> {
        if let Some(terms) = self.native {
            terms.check(db, &version.target, &self.arrival.files).await?;
        }
        UploadPlan::read(db, self.arrival, &version.target, key).await
    }

    async fn apply(
        &self,
        tx: &mut Tx,
        mut version: UploadedVersion<'r>,
        plan: UploadPlan<'r>,
        signatures: &Signatures,
    ) -> Result<()> {
        let filled = match self.native {
            Some(terms) => terms.make_package(tx, &mut version.target.package).await?,
            None => None,
        };
        let target = self.make_version(tx, version).await?;
        // Indexes that are built below list the tags.
        if let Some(terms) = self.native {
            terms.set_tags(tx, &target).await?;
        }
        let uploaded: Vec<&FilePath> = plan.files.iter().filter_map(PlannedUpload::uploaded_path).collect();
        for planned in plan.files {
            planned.apply(tx, &target, self.arrival.flags).await?;
        }
        // The content is marked as used by now, so it stays.
        same_package::take(tx, &target, &self.arrival.files).await?;
        target.record_of_files(tx, EventKind::Upload, &uploaded).await?;
        // A publish records its changes itself.
        if plan.is_changed && !self.arrival.flags.publish {
            updates::stage_files(tx, &target.version, target.now).await?;
        }
        let by = By { caller: self.caller, access: &target.package.repo };
        storage_quotas::check_added(tx, self.house, by, plan.added).await?;
        let is_published = plan.publish.is_some();
        if let Some(publish) = plan.publish {
            finish_publish(tx, &target, publish, signatures).await?;
            // Only published content is audited. An audit record for each staged file would serialize uploads.
            write_down(tx, &self.log).await?;
        }
        if let Some(terms) = self.native {
            if !is_published {
                let (repo, package_id) = (target.repo(), target.package.package.id);
                // Nothing is published; the tags may have changed.
                package_indexes::rebuild(tx, self.house, repo, package_id, IndexChange::Fields, target.now).await?;
            }
            terms.record_package(tx, &target, &self.arrival.version, filled.as_ref()).await?;
        }
        fault::point("upload: rows written");
        Ok(())
    }
}

impl<'r> Record<'r> {
    async fn in_package(&self, db: &dyn Read, package: PackageAccess) -> Result<UploadedVersion<'r>> {
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
            target.version = insert_row(tx, &target.package.package, self.draft()).await?;
        }
        Ok(target)
    }

    fn draft(&self) -> VersionDraft<'r> {
        let (id, name) = (self.new_version_id, &self.arrival.version.version);
        VersionDraft { id, name, profile: VersionProfile::default(), now: self.log.at }
    }
}
