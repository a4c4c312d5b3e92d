//! Members of organisations, and their roles.

use std::collections::HashMap;

use model::{access::Viewer, id::SubjectId, member::Membership, role::Role};

use crate::{
    Error, Read, Result, Tx,
    engine::{
        invalidation::Invalidation,
        keys,
        row::row,
        statement::{insert, select, sql},
    },
};

row! {
    struct MemberRow in "s" { id: SubjectId, name: String, role: String = "m.role" }
}

impl TryFrom<MemberRow> for Membership {
    type Error = Error;

    fn try_from(row: MemberRow) -> Result<Self> {
        let role = Role::parse(&row.role).ok_or_else(|| Error::Broken(format!("`{}` is no role", row.role)))?;
        Ok(Membership { id: row.id, name: row.name, role })
    }
}

/// Returns the user's role in the organisation. A member who lacks what it requires has none.
pub async fn find(db: &dyn Read, org_id: SubjectId, user_id: SubjectId) -> Result<Option<Role>> {
    let role: Option<String> =
        db.one(sql!("SELECT role FROM active_members WHERE org_id = $1 AND user_id = $2", org_id, user_id)).await?;
    role.map(|role| Role::parse(&role).ok_or_else(|| Error::Broken(format!("`{role}` is no role")))).transpose()
}

/// Returns the members of an organisation, by name.
pub async fn list_of_org(db: &dyn Read, org_id: SubjectId) -> Result<Vec<Membership>> {
    let rows: Vec<MemberRow> = db
        .all(select!(
            MemberRow,
            "FROM members m
             JOIN subjects s ON s.id = m.user_id
             WHERE m.org_id = $1
             ORDER BY s.name",
            org_id,
        ))
        .await?;
    rows.into_iter().map(Membership::try_from).collect()
}

/// Returns the organisations of a user, by name.
pub async fn list_of_user(db: &dyn Read, user_id: SubjectId) -> Result<Vec<Membership>> {
    let rows: Vec<MemberRow> = db
        .all(select!(
            MemberRow,
            "FROM members m
             JOIN subjects s ON s.id = m.org_id
             WHERE m.user_id = $1
             ORDER BY s.name",
            user_id,
        ))
        .await?;
    rows.into_iter().map(Membership::try_from).collect()
}

/// Returns the names of each user's organisations that the viewer also belongs to; all of them for viewers who see
/// everything.
pub async fn list_names_of(
    db: &dyn Read,
    user_ids: &[SubjectId],
    reader: Viewer,
) -> Result<HashMap<SubjectId, Vec<String>>> {
    let statement = sql!(
        "SELECT m.user_id, s.name
         FROM members m
         JOIN subjects s ON s.id = m.org_id
         WHERE m.user_id IN ($keys)
             AND ($2 OR EXISTS (SELECT 1 FROM active_members o WHERE o.org_id = m.org_id AND o.user_id = $1))
         ORDER BY m.user_id, s.name",
        reader.id,
        reader.sees_everything,
    );
    Ok(keys::grouped(keys::all::<(SubjectId, String)>(db, statement, user_ids).await?))
}

/// Counts the owners of an organisation.
pub async fn count_owners(db: &dyn Read, org_id: SubjectId) -> Result<i64> {
    let count = db
        .one(sql!("SELECT CAST(COUNT(*) AS BIGINT) FROM members WHERE org_id = $1 AND role = 'owner'", org_id))
        .await?;
    Ok(count.unwrap_or_default())
}

/// Adds a member, or changes the role of one.
pub async fn upsert(tx: &mut Tx, org_id: SubjectId, user_id: SubjectId, role: Role) -> Result<()> {
    tx.invalidate(Invalidation::Accounts);
    tx.run(insert!(
        members { org_id, user_id, role: role.as_str() },
        "ON CONFLICT (org_id, user_id) DO UPDATE SET role = excluded.role",
    ))
    .await?;
    tx.run(sql!(
        "UPDATE members
         SET is_waiting = EXISTS (
             SELECT 1 FROM unmet_requirements u
             WHERE u.org_id = members.org_id AND u.user_id = members.user_id
                 AND (u.lacks_second_factor OR u.lacks_single_sign_on))
         WHERE org_id = $1 AND user_id = $2",
        org_id,
        user_id,
    ))
    .await?;
    Ok(())
}

/// Returns the role that a user would have with what the organization requires, and whether the user lacks it.
pub async fn find_any(db: &dyn Read, org_id: SubjectId, user_id: SubjectId) -> Result<Option<(Role, bool)>> {
    let found: Option<(String, bool)> = db
        .one(sql!("SELECT role, is_waiting FROM members WHERE org_id = $1 AND user_id = $2", org_id, user_id))
        .await?;
    let role = |(role, is_waiting): (String, bool)| match Role::parse(&role) {
        Some(role) => Ok((role, is_waiting)),
        None => Err(Error::Broken(format!("`{role}` is no role"))),
    };
    found.map(role).transpose()
}

/// Removes a member.
pub async fn delete(tx: &mut Tx, org_id: SubjectId, user_id: SubjectId) -> Result<()> {
    tx.invalidate(Invalidation::Accounts);
    tx.run(sql!("DELETE FROM members WHERE org_id = $1 AND user_id = $2", org_id, user_id).long()).await?;
    Ok(())
}
