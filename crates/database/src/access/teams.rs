//! Teams of organisations, and their members.

use model::{
    id::SubjectId,
    names::{SubjectName, TeamName},
    team::Team,
    timestamp::Timestamp,
};

use crate::{
    Error, Read, Result, Tx,
    engine::{
        invalidation::Invalidation,
        row::row,
        statement::{insert, select, sql},
    },
};

row! {
    struct TeamRow { id: i64, org_id: SubjectId, name: String, may_create_repos: bool, created: i64 }
}

impl TryFrom<TeamRow> for Team {
    type Error = Error;

    fn try_from(row: TeamRow) -> Result<Self> {
        let damaged = |_| Error::Broken(format!("team {} has a damaged row", row.id));
        Ok(Team {
            id: row.id,
            org_id: row.org_id,
            name: TeamName::parse(&row.name).map_err(damaged)?,
            may_create_repos: row.may_create_repos,
            created: Timestamp::from_millis(row.created),
        })
    }
}

/// Returns the names of an organisation's teams.
pub async fn list_names(db: &dyn Read, org_id: SubjectId) -> Result<Vec<String>> {
    db.all(sql!("SELECT name FROM teams WHERE org_id = $1 ORDER BY name", org_id)).await
}

/// Returns the team with this name.
pub async fn find(db: &dyn Read, org_id: SubjectId, name: &TeamName) -> Result<Option<Team>> {
    let row: Option<TeamRow> = db
        .one(select!(
            TeamRow,
            "FROM teams
             WHERE org_id = $1 AND name = $2",
            org_id,
            name,
        ))
        .await?;
    row.map(Team::try_from).transpose()
}

/// Returns the ids of the teams through which a user may create repositories in an organisation.
pub async fn list_that_create_repos(db: &dyn Read, org_id: SubjectId, user_id: SubjectId) -> Result<Vec<i64>> {
    db.all(sql!(
        "SELECT t.id
         FROM team_members m
         JOIN teams t ON t.id = m.team_id
         JOIN active_members a ON a.org_id = m.org_id AND a.user_id = m.user_id
         WHERE m.org_id = $1 AND m.user_id = $2 AND t.may_create_repos
         ORDER BY t.id",
        org_id,
        user_id,
    ))
    .await
}

/// Returns the names of a team's members.
pub async fn list_members(db: &dyn Read, team_id: i64) -> Result<Vec<String>> {
    db.all(sql!(
        "SELECT s.name
         FROM team_members m
         JOIN subjects s ON s.id = m.user_id
         WHERE m.team_id = $1
         ORDER BY s.name",
        team_id,
    ))
    .await
}

/// Adds a team. A name that differs by letter case alone is a conflict.
pub async fn insert(tx: &mut Tx, team: &Team) -> Result<()> {
    tx.run(insert!(teams {
        id: team.id,
        org_id: team.org_id,
        name: &team.name,
        folded_name: team.name.folded(),
        may_create_repos: team.may_create_repos,
        created: team.created,
    }))
    .await?;
    Ok(())
}

/// Updates whether its members may create repositories.
pub async fn update(tx: &mut Tx, id: i64, may_create_repos: bool) -> Result<()> {
    tx.run(sql!("UPDATE teams SET may_create_repos = $2 WHERE id = $1", id, may_create_repos)).await?;
    Ok(())
}

/// Adds a user to a team, unless they are in it already; returns false if the organisation has no member with this
/// name.
pub async fn insert_member(tx: &mut Tx, team: &Team, user: &SubjectName) -> Result<bool> {
    tx.invalidate(Invalidation::Accounts);
    let member: Option<i64> = tx
        .one(sql!(
            "SELECT m.user_id
             FROM subjects s
             JOIN members m ON m.user_id = s.id AND m.org_id = $1
             WHERE s.name = $2",
            team.org_id,
            user,
        ))
        .await?;
    let Some(user_id) = member else { return Ok(false) };
    tx.run(insert!(
        team_members { team_id: team.id, org_id: team.org_id, user_id },
        "ON CONFLICT (team_id, user_id) DO NOTHING",
    ))
    .await?;
    Ok(true)
}

/// Returns whether a user is in a team.
pub async fn has_member(db: &dyn Read, team_id: i64, user_id: SubjectId) -> Result<bool> {
    let found: Option<i64> =
        db.one(sql!("SELECT user_id FROM team_members WHERE team_id = $1 AND user_id = $2", team_id, user_id)).await?;
    Ok(found.is_some())
}

/// Removes a user from a team.
pub async fn delete_member(tx: &mut Tx, team_id: i64, user_id: SubjectId) -> Result<()> {
    tx.invalidate(Invalidation::Accounts);
    tx.run(sql!("DELETE FROM team_members WHERE team_id = $1 AND user_id = $2", team_id, user_id).long()).await?;
    Ok(())
}

/// Removes all members of a team.
pub async fn delete_members(tx: &mut Tx, id: i64) -> Result<()> {
    tx.invalidate(Invalidation::Accounts);
    tx.run(sql!("DELETE FROM team_members WHERE team_id = $1", id).long()).await?;
    Ok(())
}

/// Deletes a team and its permissions.
pub async fn delete(tx: &mut Tx, id: i64) -> Result<()> {
    tx.invalidate(Invalidation::Accounts);
    tx.run(sql!("DELETE FROM teams WHERE id = $1", id).long()).await?;
    Ok(())
}
