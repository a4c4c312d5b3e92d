//! Deletes one file.

use database::{
    Database, Read, Tx,
    catalogue::versions,
    content::{blobs, files},
    oci::uses,
};
use model::{
    access::Right,
    address::{PackageAddress, RepoAddress, VersionAddress},
    audit::NewAuditRecord,
    event::EventKind,
    file::File,
    file_path::FilePath,
};

use crate::{
    Caller, Error, House, Result, access,
    audit::{entry, record},
    catalogue::{latest, tombstones, updates, window},
    content::{
        indexes::{IndexPlan, affected},
        package_indexes::{self, IndexChange},
        planned_rows::PlannedRows,
        publish,
        signature_files::StaleSignature,
        signed_write::{self, Plan, SignedWrite},
        taken_names,
        version_target::VersionTarget,
    },
    indexes,
    signing::{
        SigningOptions,
        signatures::{Signatures, ToSign},
        signer::Signer,
    },
};

/// Deletes a file. A published file can be deleted only while its version may still change; site administrators can
/// always delete it.
#[boxed::future]
pub async fn delete(house: &House, caller: &Caller, at: &RepoAddress, path: &FilePath) -> Result<()> {
    let repo = &access::file(&house.db, caller, at, path, Right::Publish).await?.repo;
    let owner = files::find_owner(&house.db, repo.id, path).await?.ok_or_else(|| not_found(path))?;
    let package = PackageAddress { repo: at.clone(), package: owner.package };
    let version = VersionAddress { package, version: owner.version };
    let log = entry(house, caller, "content.delete", at, path);
    let signer = Signer::of_deletion(house, caller, repo).await?;
    signed_write::run(signer, &DeleteFile { house, caller, version, path, log }).await?;
    indexes::settle(house, caller, repo, &SigningOptions::default()).await;
    Ok(())
}

struct DeleteFile<'d> {
    house: &'d House,
    caller: &'d Caller,
    version: VersionAddress,
    path: &'d FilePath,
    log: NewAuditRecord,
}

/// The effects of deleting a file.
struct DeletionPlan {
    file: File,
    /// The signature of the file, if this server made it.
    stale: Option<StaleSignature>,
    indexes: IndexPlan,
}

impl Plan for DeletionPlan {
    fn to_sign(&self) -> ToSign {
        self.indexes.to_sign()
    }
}

impl<'d> SignedWrite for DeleteFile<'d> {
    type Target = VersionTarget<'d>;
    type Plan = DeletionPlan;
    type Output = ();

    async fn find(&self, db: &Database) -> Result<VersionTarget<'d>> {
        VersionTarget::find(db, self.house, self.caller, &self.version, Some(self.path), self.log.at).await
    }

    async fn lock(&self, tx: &mut Tx) -> Result<VersionTarget<'d>> {
        VersionTarget::lock(tx, self.house, self.caller, &self.version, Some(self.path), self.log.at).await
    }

    async fn plan(&self, db: &dyn Read, target: &VersionTarget<'d>, key: Option<&str>) -> Result<DeletionPlan> {
        let repo = target.repo();
        let rows = &mut PlannedRows::new(db, repo.id, self.log.at);
        let file = rows.find(self.path).await?.filter(|file| file.version_id == target.version.id);
        let file = file.ok_or_else(|| not_found(self.path))?;
        if self.house.format(&repo.kind).holds_images() && uses::is_used(db, file.id).await? {
            let reason = format!("The file '{}' is part of an image; delete the version", self.path);
            return Err(Error::Conflict(reason));
        }
        if file.published.is_some() {
            check_published(db, self.caller, &self.version.package).await?;
            if !window::may_take_down(self.caller) {
                window::check_upload(self.house, repo, &target.version, self.log.at)?;
            }
        }
        rows.set(&file.path, None);
        let stale = StaleSignature::find(rows, &file.path).await?;
        if file.published.is_none() {
            return Ok(DeletionPlan { file, stale, indexes: IndexPlan::default() });
        }
        rows.unpublish(&file.path);
        let affected = affected(self.house.format(&repo.kind), &file).into_iter().collect();
        let indexes = IndexPlan::read(rows, self.house, repo, affected, key).await?;
        Ok(DeletionPlan { file, stale, indexes })
    }

    async fn apply(
        &self,
        tx: &mut Tx,
        target: VersionTarget<'d>,
        plan: DeletionPlan,
        signatures: &Signatures,
    ) -> Result<()> {
        plan.apply(tx, &target, signatures).await?;
        record(tx, &self.log).await
    }
}

impl DeletionPlan {
    /// Deletes the file, together with its signature if this server made that.
    async fn apply(self, tx: &mut Tx, target: &VersionTarget<'_>, signatures: &Signatures) -> Result<()> {
        let (file, now) = (&self.file, target.now);
        add_tombstone(tx, target, file).await?;
        publish::subtract_published_bytes(tx, file).await?;
        publish::subtract_staged_bytes(tx, file).await?;
        taken_names::free_file(tx, target, file).await?;
        files::delete(tx, file).await?;
        if let Some(stale) = self.stale {
            stale.apply(tx, now).await?;
        }
        if file.published.is_some() {
            versions::unpublish(tx, file.version_id, 1, now).await?;
            self.indexes.apply(tx, file.repo_id, signatures, now).await?;
            latest::deleted(tx, target.house.format(&target.repo().kind), file.package_id).await?;
        }
        if file.published.is_none() {
            updates::unstage_files(tx, &target.version, now).await?;
        } else {
            updates::change_version(tx, &target.version, now).await?;
            let change = IndexChange::Version(target.version.ordinal);
            package_indexes::rebuild(tx, target.house, target.repo(), file.package_id, change, now).await?;
        }
        target.record_event(tx, EventKind::Delete, Some(&file.path)).await
    }
}

/// Rejects the deletion of published content by access keys that are limited to a version or a path. Such keys may only
/// add to the package; deleting takes a key that may publish in the whole package.
pub(crate) async fn check_published(db: &dyn Read, caller: &Caller, at: &PackageAddress) -> Result<()> {
    if caller.part_grantee_id().is_none() {
        return Ok(());
    }
    match access::package(db, caller, at, Right::Publish).await {
        Err(Error::NotFound { .. } | Error::Denied(_)) => Err(Error::Denied(
            "An access key of a version or a path may not delete what is published; use one of the whole package"
                .into(),
        )),
        other => other.map(|_| ()),
    }
}

/// Binds the path to its published content if that content was final.
async fn add_tombstone(tx: &mut Tx, target: &VersionTarget<'_>, file: &File) -> Result<()> {
    let (house, repo, now) = (target.house, target.repo(), target.now);
    let is_over = target.version.first_published.is_some_and(|first| window::is_upload_over(house, repo, first, now));
    let Some(content) = file.published.as_ref().filter(|_| is_over) else { return Ok(()) };
    let Some(blob) = blobs::find(tx, content.blob_id).await? else { return Ok(()) };
    tombstones::add_file(tx, house, repo, &file.path, blob.sha256, now).await
}

fn not_found(path: &FilePath) -> Error {
    Error::NotFound { what: "File", name: path.to_string() }
}
