//! What organizations require of their members, and which members lack it.

use model::id::SubjectId;

use crate::{
    Read, Result, Tx,
    engine::{
        invalidation::Invalidation,
        row::row,
        statement::{select, sql},
    },
};

row! {
    /// A member who lacks something that the organization requires.
    pub struct UnmetRequirement {
        /// The name of the organization, or of the member: the other one is known.
        name: String = "s.name",
        /// Whether a second factor is missing.
        lacks_second_factor: bool = "u.lacks_second_factor",
        /// Whether the member does not sign in with the provider only.
        lacks_single_sign_on: bool = "u.lacks_single_sign_on",
    }
}

/// Returns the organizations whose requirements a member does not meet, by name.
pub async fn list_unmet_of_user(db: &dyn Read, user_id: SubjectId) -> Result<Vec<UnmetRequirement>> {
    db.all(select!(
        UnmetRequirement,
        "FROM members m
         JOIN subjects s ON s.id = m.org_id
         JOIN unmet_requirements u ON u.org_id = m.org_id AND u.user_id = m.user_id
         WHERE m.user_id = $1 AND m.is_waiting
         ORDER BY s.name",
        user_id,
    ))
    .await
}

/// Returns the members of an organization who do not meet its requirements, by name.
pub async fn list_unmet_of_org(db: &dyn Read, org_id: SubjectId) -> Result<Vec<UnmetRequirement>> {
    db.all(select!(
        UnmetRequirement,
        "FROM members m
         JOIN subjects s ON s.id = m.user_id
         JOIN unmet_requirements u ON u.org_id = m.org_id AND u.user_id = m.user_id
         WHERE m.org_id = $1 AND m.is_waiting
         ORDER BY s.name",
        org_id,
    ))
    .await
}

/// Returns whether a user signs in with the provider only.
pub async fn has_single_sign_on(db: &dyn Read, user_id: SubjectId) -> Result<bool> {
    let found: Option<SubjectId> =
        db.one(sql!("SELECT user_id FROM single_sign_on_users WHERE user_id = $1 LIMIT 1", user_id)).await?;
    Ok(found.is_some())
}

/// Changes whether the members of an organization need a second factor.
pub async fn update_second_factor(tx: &mut Tx, org_id: SubjectId, is_required: bool) -> Result<()> {
    tx.run(sql!("UPDATE subjects SET requires_second_factor = $2 WHERE id = $1", org_id, is_required)).await?;
    update_waiting_of_org(tx, org_id).await
}

/// Changes whether the members of an organization sign in with the provider only.
pub async fn update_single_sign_on(tx: &mut Tx, org_id: SubjectId, is_required: bool) -> Result<()> {
    tx.run(sql!("UPDATE subjects SET requires_single_sign_on = $2 WHERE id = $1", org_id, is_required)).await?;
    update_waiting_of_org(tx, org_id).await
}

/// Locks the organizations of a user until the transaction ends: what they require does not change meanwhile.
pub async fn lock_orgs(tx: &mut Tx, user_id: SubjectId) -> Result<()> {
    let statement = sql!(
        "SELECT id
         FROM subjects
         WHERE id IN (SELECT org_id FROM members WHERE user_id = $1)
         ORDER BY id",
        user_id,
    );
    let _: Vec<SubjectId> = tx.all(statement.locking_rows()).await?;
    Ok(())
}

/// Records which organizations' requirements a user meets, after the user has got or lost what one may require.
pub async fn update_waiting_of_user(tx: &mut Tx, user_id: SubjectId) -> Result<()> {
    tx.invalidate(Invalidation::Accounts);
    tx.run(sql!(
        "UPDATE members
         SET is_waiting = EXISTS (
             SELECT 1 FROM unmet_requirements u
             WHERE u.org_id = members.org_id AND u.user_id = members.user_id
                 AND (u.lacks_second_factor OR u.lacks_single_sign_on))
         WHERE user_id = $1",
        user_id,
    ))
    .await?;
    Ok(())
}

/// Does the same for all members of an organization whose requirements have changed.
async fn update_waiting_of_org(tx: &mut Tx, org_id: SubjectId) -> Result<()> {
    tx.invalidate(Invalidation::Accounts);
    tx.run(sql!(
        "UPDATE members
         SET is_waiting = EXISTS (
             SELECT 1 FROM unmet_requirements u
             WHERE u.org_id = members.org_id AND u.user_id = members.user_id
                 AND (u.lacks_second_factor OR u.lacks_single_sign_on))
         WHERE org_id = $1",
        org_id,
    ))
    .await?;
    Ok(())
}
