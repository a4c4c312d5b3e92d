//! Uploads in pieces.

use model::{
    id::{GranteeId, RepoId},
    lease::LeaseNumber,
    timestamp::Timestamp,
};

use crate::{
    Read, Result, Tx,
    engine::{
        row::row,
        statement::{insert, select, sql},
    },
};

row! {
    /// An upload between two of its pieces.
    pub struct Upload in "u" {
        /// Its database id.
        id: i64,
        /// Where the store has its bytes.
        place: String,
        /// The number of its bytes.
        bytes: i64,
        /// The states of its checksums.
        states: Vec<u8>,
        /// The number of the latest lease.
        lease: i64,
    }
}

/// An upload to start.
#[derive(Debug, Clone)]
pub struct NewUpload {
    /// Its database id.
    pub id: i64,
    /// The secret name of its URL.
    pub token: String,
    /// The id of the repository.
    pub repo_id: RepoId,
    /// The image.
    pub image: String,
    /// Who may continue it.
    pub grantee_id: Option<GranteeId>,
    /// Where the store has its bytes.
    pub place: String,
    /// The states of its checksums.
    pub states: Vec<u8>,
}

/// Starts an upload.
pub async fn insert(tx: &mut Tx, new: &NewUpload, now: Timestamp) -> Result<()> {
    tx.run(insert!(uploads {
        id: new.id,
        token: &new.token,
        repo_id: new.repo_id,
        image: &new.image,
        grantee_id: new.grantee_id,
        place: &new.place,
        bytes: 0,
        states: new.states.as_slice(),
        lease: 0,
        leased_until: 0,
        changed: now,
    }))
    .await?;
    Ok(())
}

/// Returns the upload with this token, if it belongs to this image and this caller.
pub async fn find(
    db: &dyn Read,
    token: &str,
    repo_id: RepoId,
    image: &str,
    grantee_id: Option<GranteeId>,
) -> Result<Option<Upload>> {
    let statement = select!(
        Upload,
        "FROM uploads u WHERE u.token = $1 AND u.repo_id = $2 AND u.image = $3 AND u.grantee_id = $4",
        token,
        repo_id,
        image,
        grantee_id,
    );
    db.one(statement.looking_up()).await
}

/// A lease to take.
#[derive(Debug, Clone, Copy)]
pub struct NewLease {
    /// Its number.
    pub number: LeaseNumber,
    /// The lease before it counts as ended if its time is not after this.
    pub ended: Timestamp,
    /// The end of the new one.
    pub until: Timestamp,
}

/// Leases an upload that is as it was found and that nobody else has leased; returns whether it is leased now.
pub async fn lease(tx: &mut Tx, upload: &Upload, new: NewLease) -> Result<bool> {
    let leased = sql!(
        "UPDATE uploads SET lease = $6, leased_until = $4
         WHERE id = $1 AND lease = $2 AND bytes = $5 AND leased_until <= $3",
        upload.id,
        upload.lease,
        new.ended,
        new.until,
        upload.bytes,
        new.number.number(),
    );
    Ok(tx.run(leased).await? == 1)
}

/// Extends a lease; returns `false` if it is lost.
pub async fn renew(tx: &mut Tx, id: i64, lease: i64, until: Timestamp) -> Result<bool> {
    let renewed = sql!("UPDATE uploads SET leased_until = $3 WHERE id = $1 AND lease = $2", id, lease, until);
    Ok(tx.run(renewed).await? == 1)
}

/// Records the bytes after a piece and ends the lease; returns `false` if the lease is lost.
pub async fn record(tx: &mut Tx, after: &Upload, now: Timestamp) -> Result<bool> {
    let recorded = sql!(
        "UPDATE uploads SET place = $3, bytes = $4, states = $5, changed = $6, leased_until = 0
         WHERE id = $1 AND lease = $2",
        after.id,
        after.lease,
        &after.place,
        after.bytes,
        after.states.as_slice(),
        now,
    );
    Ok(tx.run(recorded).await? == 1)
}

/// Ends a lease without a change.
pub async fn release(tx: &mut Tx, id: i64, lease: i64) -> Result<()> {
    tx.run(sql!("UPDATE uploads SET leased_until = 0 WHERE id = $1 AND lease = $2", id, lease)).await?;
    Ok(())
}

/// Deletes an upload with this lease; returns whether it existed.
pub async fn delete(tx: &mut Tx, id: i64, lease: i64) -> Result<bool> {
    Ok(tx.run(sql!("DELETE FROM uploads WHERE id = $1 AND lease = $2", id, lease).long()).await? == 1)
}

/// Returns some uploads that have had no byte since a time and that nobody has leased.
pub async fn list_abandoned(db: &dyn Read, before: Timestamp, now: Timestamp, limit: i64) -> Result<Vec<Upload>> {
    db.all(select!(
        Upload,
        "FROM uploads u WHERE u.changed < $1 AND u.leased_until <= $2 ORDER BY u.changed, u.id LIMIT $3",
        before,
        now,
        limit,
    ))
    .await
}
