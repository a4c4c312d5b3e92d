//! Invitations to organizations, by the keyed hash of the secret in their link.

use model::{
    id::{InvitationId, SubjectId},
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
    /// An invitation that is neither accepted nor revoked.
    pub struct Invitation in "i" {
        /// Its database id.
        id: InvitationId,
        /// The organization.
        org_id: SubjectId,
        /// Who invites.
        inviter_id: SubjectId,
        /// The name of who invites.
        inviter: String = "u.name",
        /// The invited e-mail address.
        email: String,
        /// The role that a member gets.
        role: String,
        /// When it was made, in milliseconds.
        created: i64,
        /// Until when it is good, in milliseconds.
        expiry: i64,
    }
}

/// Returns the invitation with this secret, if it is good at this time.
pub async fn find(db: &dyn Read, hash: &str, now: Timestamp) -> Result<Option<Invitation>> {
    db.one(
        select!(
            Invitation,
            "FROM invitations i
             JOIN subjects u ON u.id = i.inviter_id
             WHERE i.hash = $1 AND i.revoked IS NULL AND i.expiry > $2",
            hash,
            now,
        )
        .looking_up(),
    )
    .await
}

/// Returns the invitations of an organization that are good at this time, by their end.
pub async fn list_of_org(db: &dyn Read, org_id: SubjectId, now: Timestamp) -> Result<Vec<Invitation>> {
    db.all(select!(
        Invitation,
        "FROM invitations i
         JOIN subjects u ON u.id = i.inviter_id
         WHERE i.org_id = $1 AND i.expiry > $2 AND i.revoked IS NULL
         ORDER BY i.expiry, i.id",
        org_id,
        now,
    ))
    .await
}

/// Counts the invitations of an organization that have not expired, with revoked ones.
pub async fn count_of_org(db: &dyn Read, org_id: SubjectId, now: Timestamp) -> Result<i64> {
    let statement =
        sql!("SELECT CAST(COUNT(*) AS BIGINT) FROM invitations WHERE org_id = $1 AND expiry > $2", org_id, now);
    Ok(db.one(statement).await?.unwrap_or_default())
}

/// Counts the invitations of somebody who invites that have not expired, with revoked ones.
pub async fn count_of_inviter(db: &dyn Read, inviter_id: SubjectId, now: Timestamp) -> Result<i64> {
    let statement =
        sql!("SELECT CAST(COUNT(*) AS BIGINT) FROM invitations WHERE inviter_id = $1 AND expiry > $2", inviter_id, now);
    Ok(db.one(statement).await?.unwrap_or_default())
}

/// Adds an invitation.
pub async fn insert(tx: &mut Tx, invitation: &Invitation, hash: &str) -> Result<()> {
    tx.run(insert!(invitations {
        id: invitation.id,
        hash,
        org_id: invitation.org_id,
        inviter_id: invitation.inviter_id,
        email: &invitation.email,
        role: &invitation.role,
        created: invitation.created,
        expiry: invitation.expiry,
    }))
    .await?;
    Ok(())
}

/// Revokes an invitation of an organization; returns whether it was good.
pub async fn revoke(tx: &mut Tx, org_id: SubjectId, id: InvitationId, now: Timestamp) -> Result<bool> {
    let statement = sql!(
        "UPDATE invitations SET revoked = $3 WHERE id = $2 AND org_id = $1 AND revoked IS NULL AND expiry > $3",
        org_id,
        id,
        now,
    );
    Ok(tx.run(statement).await? > 0)
}

/// Revokes the invitations of an address to an organization.
pub async fn revoke_of_address(tx: &mut Tx, org_id: SubjectId, email: &str, now: Timestamp) -> Result<()> {
    tx.run(sql!(
        "UPDATE invitations SET revoked = $3 WHERE org_id = $1 AND email = $2 AND revoked IS NULL AND expiry > $3",
        org_id,
        email,
        now,
    ))
    .await?;
    Ok(())
}

/// Deletes an invitation that is accepted; returns whether it was there.
pub async fn delete(tx: &mut Tx, id: InvitationId) -> Result<bool> {
    Ok(tx.run(sql!("DELETE FROM invitations WHERE id = $1", id).long()).await? > 0)
}

/// Deletes the invitations that have expired.
pub async fn delete_expired(tx: &mut Tx, now: Timestamp) -> Result<()> {
    tx.run(sql!("DELETE FROM invitations WHERE expiry <= $1", now).long()).await?;
    Ok(())
}
