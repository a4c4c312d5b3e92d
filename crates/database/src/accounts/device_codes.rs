//! Devices that wait for a person to sign in for them, by the keyed hashes of their two codes.

use model::{id::SubjectId, timestamp::Timestamp};

use crate::{
    Read, Result, Tx,
    engine::{
        row::row,
        statement::{insert, select, sql},
    },
};

row! {
    /// A device that waits.
    pub struct DeviceCode {
        /// The hash of the device's own code.
        hash: String,
        /// The hash of the code that a person types.
        user_hash: String,
        /// What the device calls itself.
        client: String,
        /// Its IP address.
        address: String,
        /// The scope that it asks for.
        scope: String,
        /// When it began to wait, in milliseconds.
        created: i64,
        /// Until when it waits, in milliseconds.
        expiry: i64,
        /// When it last asked, in milliseconds.
        polled: Option<i64>,
        /// The user who has allowed it.
        user_id: Option<SubjectId>,
        /// Whether somebody has refused it.
        is_denied: bool,
    }
}

/// Returns the device with this code.
pub async fn find(db: &dyn Read, hash: &str) -> Result<Option<DeviceCode>> {
    db.one(select!(DeviceCode, "FROM device_codes WHERE hash = $1", hash).looking_up()).await
}

/// Returns the device for which a person types this code.
pub async fn find_by_user_code(db: &dyn Read, hash: &str) -> Result<Option<DeviceCode>> {
    db.one(select!(DeviceCode, "FROM device_codes WHERE user_hash = $1", hash).looking_up()).await
}

/// Adds a device that waits.
pub async fn insert(tx: &mut Tx, code: &DeviceCode) -> Result<()> {
    tx.run(insert!(device_codes {
        hash: &code.hash,
        user_hash: &code.user_hash,
        client: &code.client,
        address: &code.address,
        scope: &code.scope,
        created: code.created,
        expiry: code.expiry,
        is_denied: false,
    }))
    .await?;
    Ok(())
}

/// Records that a device has asked.
pub async fn touch(tx: &mut Tx, hash: &str, now: Timestamp) -> Result<()> {
    tx.run(sql!("UPDATE device_codes SET polled = $2 WHERE hash = $1", hash, now)).await?;
    Ok(())
}

/// Decides about a device that waits: for a user, or against it. Returns whether nobody had decided before.
pub async fn decide(tx: &mut Tx, user_hash: &str, user_id: Option<SubjectId>) -> Result<bool> {
    let statement = sql!(
        "UPDATE device_codes
         SET user_id = $2, is_denied = $3
         WHERE user_hash = $1 AND user_id IS NULL AND NOT is_denied",
        user_hash,
        user_id,
        user_id.is_none(),
    );
    Ok(tx.run(statement).await? > 0)
}

/// Removes a device; returns whether it was there.
pub async fn delete(tx: &mut Tx, hash: &str) -> Result<bool> {
    Ok(tx.run(sql!("DELETE FROM device_codes WHERE hash = $1", hash).long()).await? > 0)
}

/// Removes the devices that have waited until before a time.
pub async fn delete_expired(tx: &mut Tx, before: Timestamp) -> Result<()> {
    tx.run(sql!("DELETE FROM device_codes WHERE expiry <= $1", before).long()).await?;
    Ok(())
}
