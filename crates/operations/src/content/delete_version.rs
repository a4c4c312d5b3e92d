//! Deletes a version.

use database::{Database, Read, Tx};
use model::{access::Right, address::VersionAddress, audit::NewAuditRecord};

use crate::{
    Caller, House, Result, access,
    audit::{entry, record},
    catalogue::window,
    content::{
        cascade, check_published,
        indexes::IndexPlan,
        signed_write::{self, SignedWrite},
        version_target::VersionTarget,
    },
    indexes,
    signing::{SigningOptions, signatures::Signatures, signer::Signer},
};

/// Deletes a version with everything in it.
pub async fn delete_version(house: &House, caller: &Caller, at: &VersionAddress) -> Result<()> {
    let repo = access::package(&house.db, caller, at, Right::Publish).await?.repo.repo;
    let log = entry(house, caller, "version.delete", at, "");
    let signer = Signer::of_deletion(house, caller, &repo).await?;
    signed_write::run(signer, &DeleteVersion { house, caller, at, log }).await?;
    indexes::settle(house, caller, &repo, &SigningOptions::default()).await;
    Ok(())
}

struct DeleteVersion<'d> {
    house: &'d House,
    caller: &'d Caller,
    at: &'d VersionAddress,
    log: NewAuditRecord,
}

impl<'d> SignedWrite for DeleteVersion<'d> {
    type Target = VersionTarget<'d>;
    type Plan = IndexPlan;
    type Output = ();

    async fn find(&self, db: &Database) -> Result<VersionTarget<'d>> {
        VersionTarget::find(db, self.house, self.caller, self.at, None, self.log.at).await
    }

    async fn lock(&self, tx: &mut Tx) -> Result<VersionTarget<'d>> {
        VersionTarget::lock(tx, self.house, self.caller, self.at, None, self.log.at).await
    }

    async fn plan(&self, db: &dyn Read, target: &VersionTarget<'d>, key: Option<&str>) -> Result<IndexPlan> {
        if target.version.published_files > 0 {
            check_published(db, self.caller, &self.at.package).await?;
        }
        window::check_delete(self.house, self.caller, &target.version, self.log.at)?;
        cascade::plan_version(db, target, key).await
    }

    async fn apply(
        &self,
        tx: &mut Tx,
        target: VersionTarget<'d>,
        plan: IndexPlan,
        signatures: &Signatures,
    ) -> Result<()> {
        cascade::delete_version(tx, &target, plan, signatures).await?;
        record(tx, &self.log).await
    }
}
