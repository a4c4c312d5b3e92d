//! Deletes a package.

use database::{Database, Read, Tx, catalogue::repos};
use model::{access::Right, address::PackageAddress, audit::NewAuditRecord, event::EventKind};

use crate::{
    Caller, House, PackageAccess, Result, access,
    audit::{entry, record},
    catalogue::window::{self, DeletionScope},
    content::{
        cascade,
        deletion_step::{self, DeletionInSteps, DeletionStep, LargeDeletion},
        indexes::IndexPlan,
        signed_write::SignedWrite,
        version_target::lock_package,
    },
    events::{self, EventScope, NewEvent, webhooks::Subscriptions},
    indexes,
    signing::{SigningOptions, signatures::Signatures},
};

/// Deletes a package with everything in it. One with very many files or versions goes in several transactions.
#[boxed::future]
pub async fn delete_package(house: &House, caller: &Caller, at: &PackageAddress) -> Result<()> {
    let repo = access::package(&house.db, caller, at, Right::Publish).await?.repo.repo;
    let log = entry(house, caller, "package.delete", at, "");
    let mut deletion = DeletePackage { house, caller, at, log, is_recorded: false };
    deletion_step::run(house, caller, &repo, &mut deletion).await?;
    indexes::settle(house, caller, &repo, &SigningOptions::default()).await;
    Ok(())
}

struct DeletePackage<'d> {
    house: &'d House,
    caller: &'d Caller,
    at: &'d PackageAddress,
    log: NewAuditRecord,
    /// Whether an earlier step has recorded the deletion in the audit log.
    is_recorded: bool,
}

impl DeletePackage<'_> {
    fn steps<'s>(&'s self, access: &'s PackageAccess) -> LargeDeletion<'s> {
        let (repo, package_id) = (&access.repo.repo, access.package.id);
        LargeDeletion { house: self.house, repo, package_id, version: None, now: self.log.at }
    }

    async fn delete_rest(
        &self,
        tx: &mut Tx,
        access: &PackageAccess,
        indexes: IndexPlan,
        signatures: &Signatures,
    ) -> Result<()> {
        let (house, now) = (self.house, self.log.at);
        cascade::delete_package(tx, house, access, indexes, signatures, now).await?;
        let (repo, scope) = (&access.repo.repo, EventScope::Package(&access.package));
        let deleted = NewEvent { kind: EventKind::Delete, at: now, repo, scope };
        events::record(tx, house, self.caller, deleted, &Subscriptions::default()).await
    }
}

impl DeletionInSteps for DeletePackage<'_> {
    fn set_recorded(&mut self) {
        self.is_recorded = true;
    }
}

impl SignedWrite for DeletePackage<'_> {
    type Target = PackageAccess;
    type Plan = DeletionStep;
    /// Whether nothing is left.
    type Output = bool;

    async fn find(&self, db: &Database) -> Result<PackageAccess> {
        access::package(db, self.caller, self.at, Right::Publish).await
    }

    async fn lock(&self, tx: &mut Tx) -> Result<PackageAccess> {
        // Lock the repository before the package, as package creation does, so that the two cannot deadlock.
        let repo_id = access::package(tx, self.caller, self.at, Right::Publish).await?.repo.repo.id;
        repos::lock(tx, repo_id).await?;
        lock_package(tx, self.house, self.caller, self.at.into()).await
    }

    async fn plan(&self, db: &dyn Read, access: &PackageAccess, key: Option<&str>) -> Result<DeletionStep> {
        let scope = DeletionScope::Package(access.package.id);
        window::check_delete_all(db, self.house, self.caller, scope, self.log.at).await?;
        if let Some(step) = self.steps(access).plan(db, key).await? {
            return Ok(step);
        }
        Ok(DeletionStep::Rest(cascade::plan_package(db, self.house, access, self.log.at, key).await?))
    }

    async fn apply(
        &self,
        tx: &mut Tx,
        access: PackageAccess,
        step: DeletionStep,
        signatures: &Signatures,
    ) -> Result<bool> {
        let is_last = match step {
            DeletionStep::Rest(indexes) => {
                self.delete_rest(tx, &access, indexes, signatures).await?;
                true
            }
            step => {
                self.steps(&access).apply(tx, step, signatures).await?;
                false
            }
        };
        if !self.is_recorded {
            record(tx, &self.log).await?;
        }
        Ok(is_last)
    }
}
