//! Deletes a package.

use database::{Database, Read, Tx, catalogue::repos};
use model::{access::Right, address::PackageAddress, audit::NewAuditRecord, event::EventKind};

use crate::{
    Caller, House, PackageAccess, Result, access,
    audit::{entry, record},
    catalogue::window::{self, DeletionScope},
    content::{
        cascade,
        indexes::IndexPlan,
        signed_write::{self, SignedWrite},
        version_target::lock_package,
    },
    events::{self, EventScope, NewEvent, webhooks::Subscriptions},
    indexes,
    signing::{SigningOptions, signatures::Signatures, signer::Signer},
};

/// Deletes a package with everything in it.
pub async fn delete_package(house: &House, caller: &Caller, at: &PackageAddress) -> Result<()> {
    let repo = access::package(&house.db, caller, at, Right::Publish).await?.repo.repo;
    let log = entry(house, caller, "package.delete", at, "");
    let signer = Signer::of_deletion(house, caller, &repo).await?;
    signed_write::run(signer, &DeletePackage { house, caller, at, log }).await?;
    indexes::settle(house, caller, &repo, &SigningOptions::default()).await;
    Ok(())
}

struct DeletePackage<'d> {
    house: &'d House,
    caller: &'d Caller,
    at: &'d PackageAddress,
    log: NewAuditRecord,
}

impl SignedWrite for DeletePackage<'_> {
    type Target = PackageAccess;
    type Plan = IndexPlan;
    type Output = ();

    async fn find(&self, db: &Database) -> Result<PackageAccess> {
        access::package(db, self.caller, self.at, Right::Publish).await
    }

    async fn lock(&self, tx: &mut Tx) -> Result<PackageAccess> {
        // Lock the repository before the package, as package creation does, so that the two cannot deadlock.
        let repo_id = access::package(tx, self.caller, self.at, Right::Publish).await?.repo.repo.id;
        repos::lock(tx, repo_id).await?;
        lock_package(tx, self.house, self.caller, self.at.into()).await
    }

    async fn plan(&self, db: &dyn Read, access: &PackageAccess, key: Option<&str>) -> Result<IndexPlan> {
        let scope = DeletionScope::Package(access.package.id);
        window::check_delete_all(db, self.house, self.caller, scope, self.log.at).await?;
        cascade::plan_package(db, self.house, access, self.log.at, key).await
    }

    async fn apply(&self, tx: &mut Tx, access: PackageAccess, plan: IndexPlan, signatures: &Signatures) -> Result<()> {
        let (house, now) = (self.house, self.log.at);
        cascade::delete_package(tx, house, &access, plan, signatures, now).await?;
        let (repo, scope) = (&access.repo.repo, EventScope::Package(&access.package));
        let deleted = NewEvent { kind: EventKind::Delete, at: now, repo, scope };
        events::record(tx, house, self.caller, deleted, &Subscriptions::default()).await?;
        record(tx, &self.log).await
    }
}
