//! The devices and networks that users sign in from.

use model::{id::SubjectId, timestamp::Timestamp};

use crate::{
    Read, Result, Tx,
    engine::statement::{insert, sql},
};

/// Returns whether a user has signed in from anywhere, and whether from this device and network.
pub async fn find(db: &dyn Read, user_id: SubjectId, device: &str, network: &str) -> Result<(bool, bool)> {
    let any: Option<i64> =
        db.one(sql!("SELECT used FROM sign_in_places WHERE user_id = $1 ORDER BY device LIMIT 1", user_id)).await?;
    let this: Option<i64> = db
        .one(sql!(
            "SELECT used FROM sign_in_places WHERE user_id = $1 AND device = $2 AND network = $3",
            user_id,
            device,
            network,
        ))
        .await?;
    Ok((any.is_some(), this.is_some()))
}

/// Records a sign-in.
pub async fn upsert(tx: &mut Tx, user_id: SubjectId, device: &str, network: &str, now: Timestamp) -> Result<()> {
    tx.run(insert!(
        sign_in_places { user_id, device, network, used: now },
        "ON CONFLICT (user_id, device, network) DO UPDATE SET used = excluded.used",
    ))
    .await?;
    Ok(())
}

/// Deletes places that were last used before a time.
pub async fn delete_expired(tx: &mut Tx, before: Timestamp) -> Result<()> {
    tx.run(sql!("DELETE FROM sign_in_places WHERE used <= $1", before).long()).await?;
    Ok(())
}
