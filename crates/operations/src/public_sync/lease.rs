//! A lease on the sync of a version, so that only one node at a time syncs it. The lease is renewed while the sync
//! runs; if the node dies, it expires.

use std::{convert::Infallible, time::Duration};

use database::{
    ScopedFutureExt,
    catalogue::{packages, versions},
    public_sync::public_syncs::{self as rows, SyncLease},
};
use model::{
    address::VersionAddress,
    id::{PackageId, VersionId},
    timestamp::Timestamp,
};

use super::remote::SyncError;
use crate::{Error, House, Result};

/// The duration of a lease without renewal.
const LEASE_MS: i64 = 60_000;

/// The interval between renewals.
const RENEW_EVERY: Duration = Duration::from_secs(15);

/// A lease on the sync of a version.
pub(super) struct SyncLeaseGuard<'t> {
    house: &'t House,
    version_id: VersionId,
    token: i64,
}

impl<'t> SyncLeaseGuard<'t> {
    /// Takes the lease on a version that no other node is syncing.
    pub(super) async fn take(house: &'t House, package_id: PackageId, at: &VersionAddress) -> Result<Self> {
        let lease = lease_until(house, house.next_id());
        let taken = house.db.write(|tx| {
            async move {
                // Lock the package, so that the version exists until the row of the lease is inserted.
                let is_there = packages::lock_shared(tx, package_id).await?;
                let version = if is_there { versions::find(tx, package_id, &at.version).await? } else { None };
                let version_id = version.ok_or_else(|| Error::no_version(at))?.id;
                if rows::lease(tx, version_id, lease, house.clock.now()).await? {
                    Ok(version_id)
                } else {
                    Err(Error::Conflict("This version is being synced already".into()))
                }
            }
            .scope_boxed()
        });
        Ok(Self { house, version_id: taken.await?, token: lease.token })
    }

    /// The id of the version.
    pub(super) fn version_id(&self) -> VersionId {
        self.version_id
    }

    /// Renews the lease for as long as this future runs.
    pub(super) async fn renew_forever(&self) -> Infallible {
        loop {
            tokio::time::sleep(RENEW_EVERY).await;
            match self.renew().await {
                Ok(true) => {}
                Ok(false) => tracing::warn!("another node took over a sync"),
                Err(error) => tracing::warn!("renewing the lease of a sync failed: {error}"),
            }
        }
    }

    /// Confirms before an irreversible step that this node still has the lease: it may have hung so long that another
    /// node has started.
    pub(super) async fn confirm(&self) -> std::result::Result<(), SyncError> {
        match self.renew().await {
            Ok(true) => Ok(()),
            Ok(false) => Err(SyncError::new("Another node has taken over this sync")),
            Err(error) => {
                tracing::warn!("confirming the lease of a sync failed: {error}");
                Err(SyncError::new("The server failed to confirm that no other node syncs this version; try again"))
            }
        }
    }

    /// Releases the lease. If that fails, the lease expires.
    pub(super) async fn end(self) {
        let (version_id, token) = (self.version_id, self.token);
        let ended = self.house.db.write(|tx| async move { rows::release(tx, version_id, token).await }.scope_boxed());
        if let Err(error) = ended.await {
            tracing::warn!("releasing the lease of a sync failed: {error}");
        }
    }

    async fn renew(&self) -> database::Result<bool> {
        let (version_id, lease) = (self.version_id, lease_until(self.house, self.token));
        self.house.db.write(|tx| async move { rows::renew(tx, version_id, lease).await }.scope_boxed()).await
    }
}

/// A lease that starts now.
fn lease_until(house: &House, token: i64) -> SyncLease {
    SyncLease { token, until: Timestamp::from_millis(house.clock.now().millis() + LEASE_MS) }
}
