//! Versions that are being synced to a staging registry, each claimed by the server that does it.

use model::timestamp::Timestamp;

use crate::{Result, Tx, engine::statement::sql};

/// Who syncs a version, and until when nobody else does.
#[derive(Debug, Clone, Copy)]
pub struct SyncLease {
    /// What nobody else's claim is.
    pub token: i64,
    /// When it ends by itself.
    pub until: Timestamp,
}

/// Claims a version; false while somebody else has.
pub async fn claim(tx: &mut Tx, version_id: i64, claim: SyncLease, now: Timestamp) -> Result<bool> {
    let claimed = tx
        .run(sql!(
            "INSERT INTO syncs (version_id, claim, claimed_until)
             VALUES ($1, $2, $3)
             ON CONFLICT (version_id) DO UPDATE SET claim = excluded.claim, claimed_until = excluded.claimed_until
             WHERE syncs.claimed_until <= $4",
            version_id,
            claim.token,
            claim.until,
            now,
        ))
        .await?;
    Ok(claimed == 1)
}

/// Lets a claim end later; false when somebody else has the version now, or it is gone.
pub async fn renew(tx: &mut Tx, version_id: i64, claim: SyncLease) -> Result<bool> {
    let renewed = tx
        .run(sql!(
            "UPDATE syncs SET claimed_until = $3 WHERE version_id = $1 AND claim = $2",
            version_id,
            claim.token,
            claim.until,
        ))
        .await?;
    Ok(renewed == 1)
}

/// Gives a version free again, unless somebody else has it.
pub async fn release(tx: &mut Tx, version_id: i64, token: i64) -> Result<()> {
    tx.run(sql!("DELETE FROM syncs WHERE version_id = $1 AND claim = $2", version_id, token).long()).await?;
    Ok(())
}
