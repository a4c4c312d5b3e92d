//! Publishes staged content, or discards it.

use database::{
    Database, Read, ScopedFutureExt, Tx,
    catalogue::version_builds,
    content::{blobs, files, stored_bytes},
};
use model::{
    access::Right,
    address::VersionAddress,
    audit::NewAuditRecord,
    event::EventKind,
    file::{File, FileContent},
    repo::Repo,
    timestamp::Timestamp,
};

use crate::{
    Caller, House, Result, access,
    audit::{entry, record},
    catalogue::{updates, window},
    content::{
        planned_rows::PlannedRows,
        publish_plan::PublishPlan,
        signed_write::{self, Plan, SignedWrite},
        taken_names,
        version_target::VersionTarget,
    },
    fault, indexes,
    signing::{
        SigningOptions,
        signatures::{Signatures, ToSign},
        signer::Signer,
    },
};

/// Publishes all staged files of a version, signed if the repository signs files; returns their number. Readers see
/// either all of them or none.
#[boxed::future]
pub async fn publish(house: &House, caller: &Caller, at: &VersionAddress, with: &SigningOptions) -> Result<u64> {
    publish_indexed(house, caller, at, with).await.map(|(files, _)| files)
}

/// Does the same, and also returns whether the indexes of the repository show the files already.
#[boxed::future]
pub async fn publish_indexed(
    house: &House,
    caller: &Caller,
    at: &VersionAddress,
    with: &SigningOptions,
) -> Result<(u64, bool)> {
    let repo = access::package(&house.db, caller, at, Right::Publish).await?.repo.repo;
    publish_in(house, caller, at, with, &repo).await
}

/// Does the same for a caller who may publish in this repository.
pub(crate) async fn publish_in(
    house: &House,
    caller: &Caller,
    at: &VersionAddress,
    with: &SigningOptions,
    repo: &Repo,
) -> Result<(u64, bool)> {
    let signer = Signer::of_repo(house, caller, repo, with).await?;
    let log = entry(house, caller, "content.publish", at, "");
    let published = signed_write::run(signer, &Publish { house, caller, at, log }).await;
    fault::point("publish: committed");
    let files = published?;
    Ok((files, indexes::settle(house, caller, repo, with).await))
}

/// Publishes all staged files of a version.
struct Publish<'p> {
    house: &'p House,
    caller: &'p Caller,
    at: &'p VersionAddress,
    log: NewAuditRecord,
}

/// The effects of publishing the staged files.
struct StagedPlan {
    /// The number of staged files, without signatures that this publish makes.
    count: usize,
    publish: PublishPlan,
}

impl Plan for StagedPlan {
    fn to_sign(&self) -> ToSign {
        self.publish.to_sign()
    }
}

impl<'p> SignedWrite for Publish<'p> {
    type Target = VersionTarget<'p>;
    type Plan = StagedPlan;
    type Output = u64;

    async fn find(&self, db: &Database) -> Result<VersionTarget<'p>> {
        VersionTarget::find(db, self.house, self.caller, self.at, None, self.log.at).await
    }

    async fn lock(&self, tx: &mut Tx) -> Result<VersionTarget<'p>> {
        VersionTarget::lock(tx, self.house, self.caller, self.at, None, self.log.at).await
    }

    async fn plan(&self, db: &dyn Read, target: &VersionTarget<'p>, key: Option<&str>) -> Result<StagedPlan> {
        let staged = files::lock_staged(db, target.version.id).await?;
        let count = staged.len();
        if count == 0 {
            return Ok(StagedPlan { count, publish: PublishPlan::default() });
        }
        window::check_upload(self.house, target.repo(), &target.version, self.log.at)?;
        let rows = &mut PlannedRows::new(db, target.repo().id, self.log.at);
        Ok(StagedPlan { count, publish: PublishPlan::of_staged(rows, target, key, staged).await? })
    }

    async fn apply(
        &self,
        tx: &mut Tx,
        target: VersionTarget<'p>,
        plan: StagedPlan,
        signatures: &Signatures,
    ) -> Result<u64> {
        if plan.count > 0 {
            finish_publish(tx, &target, plan.publish, signatures).await?;
        }
        record(tx, &self.log).await?;
        fault::point("publish: rows written");
        Ok(plan.count as u64)
    }
}

/// Discards all staged files of a version; returns their number.
#[boxed::future]
pub async fn discard(house: &House, caller: &Caller, at: &VersionAddress) -> Result<u64> {
    access::package(&house.db, caller, at, Right::Publish).await?;
    discard_in(house, caller, at).await
}

/// Does the same for a caller who may publish the package.
pub(crate) async fn discard_in(house: &House, caller: &Caller, at: &VersionAddress) -> Result<u64> {
    let log = &entry(house, caller, "content.discard", at, "");
    house
        .db
        .write(|tx| {
            async move {
                let target = VersionTarget::lock(tx, house, caller, at, None, log.at).await?;
                let staged = files::lock_staged(tx, target.version.id).await?;
                for file in &staged {
                    subtract_staged_bytes(tx, file).await?;
                    files::discard(tx, file).await?;
                }
                taken_names::free_version(tx, &target).await?;
                if !staged.is_empty() {
                    updates::unstage_files(tx, &target.version, target.now).await?;
                }
                record(tx, log).await?;
                Ok(staged.len() as u64)
            }
            .scope_boxed()
        })
        .await
}

/// Publishes the staged content of a file.
pub(super) async fn publish_file(tx: &mut Tx, file: &File, now: Timestamp) -> Result<()> {
    subtract_published_bytes(tx, file).await?;
    Ok(files::publish(tx, file, now).await?)
}

/// Applies the plan and records the events.
pub(super) async fn finish_publish(
    tx: &mut Tx,
    target: &VersionTarget<'_>,
    plan: PublishPlan,
    signatures: &Signatures,
) -> Result<()> {
    plan.apply(tx, target, signatures).await?;
    target.record_event(tx, EventKind::Publish, None).await?;
    if target.version.first_published.is_none() {
        target.record_event(tx, EventKind::Release, None).await?;
    }
    if let Some(build) = target.caller.build() {
        version_builds::upsert(tx, target.version.id, build, target.now).await?;
    }
    Ok(())
}

/// Subtracts the published content of a file from the bytes that the repository stores.
pub(crate) async fn subtract_published_bytes(tx: &mut Tx, file: &File) -> Result<()> {
    free(tx, file, file.published.as_ref()).await
}

/// Subtracts the staged content of a file from the bytes that the repository stores.
pub(crate) async fn subtract_staged_bytes(tx: &mut Tx, file: &File) -> Result<()> {
    free(tx, file, file.staged.as_ref()).await
}

async fn free(tx: &mut Tx, file: &File, content: Option<&FileContent>) -> Result<()> {
    let Some(content) = content else { return Ok(()) };
    let bytes = blobs::find(tx, content.blob_id).await?.map_or(0, |blob| blob.size);
    Ok(stored_bytes::add(tx, file.repo_id, file.version_id, -bytes).await?)
}
