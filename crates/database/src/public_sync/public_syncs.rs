//! Versions that are being pushed to a staging registry, each leased by the node that does it.

use model::{id::VersionId, timestamp::Timestamp};

use crate::{Result, Tx, engine::statement::sql};

/// A lease on a version: its holder syncs the version, and no other node does until it expires.
#[derive(Debug, Clone, Copy)]
pub struct SyncLease {
    /// A token that is unique to the lease.
    pub token: i64,
    /// When it expires.
    pub until: Timestamp,
}

/// Leases a version; returns false while another node has the lease.
pub async fn lease(tx: &mut Tx, version_id: VersionId, lease: SyncLease, now: Timestamp) -> Result<bool> {
    let leased = tx
        .run(sql!(
            "INSERT INTO syncs (version_id, claim, claimed_until)
             VALUES ($1, $2, $3)
             ON CONFLICT (version_id) DO UPDATE SET claim = excluded.claim, claimed_until = excluded.claimed_until
             WHERE syncs.claimed_until <= $4",
            version_id,
            lease.token,
            lease.until,
            now,
        ))
        .await?;
    Ok(leased == 1)
}

/// Extends a lease; returns false if another node has the lease now, or the version was deleted.
pub async fn renew(tx: &mut Tx, version_id: VersionId, lease: SyncLease) -> Result<bool> {
    let renewed = tx
        .run(sql!(
            "UPDATE syncs SET claimed_until = $3 WHERE version_id = $1 AND claim = $2",
            version_id,
            lease.token,
            lease.until,
        ))
        .await?;
    Ok(renewed == 1)
}

/// Releases a version, unless another node has the lease.
pub async fn release(tx: &mut Tx, version_id: VersionId, token: i64) -> Result<()> {
    tx.run(sql!("DELETE FROM syncs WHERE version_id = $1 AND claim = $2", version_id, token).long()).await?;
    Ok(())
}
