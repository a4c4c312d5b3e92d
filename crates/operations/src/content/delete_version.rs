//! Deletes a version.

use database::{Database, Read, Tx};
use model::{access::Right, address::VersionAddress, audit::NewAuditRecord};

use crate::{
    Caller, House, Result, access,
    audit::{entry, record},
    catalogue::window,
    content::{
        cascade, check_published,
        deletion_step::{self, DeletionInSteps, DeletionStep, LargeDeletion},
        signed_write::SignedWrite,
        version_target::VersionTarget,
    },
    indexes,
    signing::{SigningOptions, signatures::Signatures},
};

/// Deletes a version with everything in it. One with very many files goes in several transactions.
#[boxed::future]
pub async fn delete_version(house: &House, caller: &Caller, at: &VersionAddress) -> Result<()> {
    let repo = access::package(&house.db, caller, at, Right::Publish).await?.repo.repo;
    let log = entry(house, caller, "version.delete", at, "");
    let mut deletion = DeleteVersion { house, caller, at, log, is_recorded: false };
    deletion_step::run(house, caller, &repo, &mut deletion).await?;
    indexes::settle(house, caller, &repo, &SigningOptions::default()).await;
    Ok(())
}

struct DeleteVersion<'d> {
    house: &'d House,
    caller: &'d Caller,
    at: &'d VersionAddress,
    log: NewAuditRecord,
    /// Whether an earlier step has recorded the deletion in the audit log.
    is_recorded: bool,
}

/// The steps of a deletion; `None` for a version of an image, which has no more files than its manifests name and leaves
/// those that others use.
fn steps<'s>(target: &'s VersionTarget<'_>) -> Option<LargeDeletion<'s>> {
    let (house, repo, package_id) = (target.house, target.repo(), target.package.package.id);
    let version = Some((target.version.id, target.version.ordinal));
    let is_image = house.format(&repo.kind).holds_images();
    (!is_image).then_some(LargeDeletion { house, repo, package_id, version, now: target.now })
}

impl DeletionInSteps for DeleteVersion<'_> {
    fn set_recorded(&mut self) {
        self.is_recorded = true;
    }
}

impl<'d> SignedWrite for DeleteVersion<'d> {
    type Target = VersionTarget<'d>;
    type Plan = DeletionStep;
    /// Whether nothing is left.
    type Output = bool;

    async fn find(&self, db: &Database) -> Result<VersionTarget<'d>> {
        VersionTarget::find(db, self.house, self.caller, self.at, None, self.log.at).await
    }

    async fn lock(&self, tx: &mut Tx) -> Result<VersionTarget<'d>> {
        VersionTarget::lock(tx, self.house, self.caller, self.at, None, self.log.at).await
    }

    async fn plan(&self, db: &dyn Read, target: &VersionTarget<'d>, key: Option<&str>) -> Result<DeletionStep> {
        if target.version.published_files > 0 {
            check_published(db, self.caller, &self.at.package).await?;
        }
        window::check_delete(self.house, self.caller, &target.version, self.log.at)?;
        if let Some(steps) = steps(target)
            && let Some(step) = steps.plan(db, key).await?
        {
            return Ok(step);
        }
        Ok(DeletionStep::Rest(cascade::plan_version(db, target, key).await?))
    }

    async fn apply(
        &self,
        tx: &mut Tx,
        target: VersionTarget<'d>,
        step: DeletionStep,
        signatures: &Signatures,
    ) -> Result<bool> {
        let is_last = match (step, steps(&target)) {
            (DeletionStep::Rest(indexes), _) => {
                cascade::delete_version(tx, &target, indexes, signatures).await?;
                true
            }
            (step, steps) => {
                if let Some(steps) = steps {
                    steps.apply(tx, step, signatures).await?;
                }
                false
            }
        };
        if !self.is_recorded {
            record(tx, &self.log).await?;
        }
        Ok(is_last)
    }
}
