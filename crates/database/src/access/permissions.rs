//! Rights of teams in the repositories of their organisation.

use model::{access::Right, id::RepoId, team::Permission};

use crate::{
    Read, Result, Tx,
    engine::{
        invalidation::Invalidation,
        row::row,
        statement::{insert, select, sql},
    },
};

row! {
    struct PermissionRow in "t" { name: String, granted: i64 = "p.granted" }
}

impl From<PermissionRow> for Permission {
    fn from(row: PermissionRow) -> Self {
        Permission { name: row.name, right: Right::from_number(row.granted) }
    }
}

/// Returns the teams that have a right in a repository, by name.
pub async fn list_of_repo(db: &dyn Read, repo_id: RepoId) -> Result<Vec<Permission>> {
    let rows: Vec<PermissionRow> = db
        .all(select!(
            PermissionRow,
            "FROM team_permissions p
             JOIN teams t ON t.id = p.team_id
             WHERE p.repo_id = $1
             ORDER BY t.name",
            repo_id,
        ))
        .await?;
    Ok(rows.into_iter().map(Permission::from).collect())
}

/// Returns the repositories in which a team has a right, by name.
pub async fn list_of_team(db: &dyn Read, team_id: i64) -> Result<Vec<Permission>> {
    let rows: Vec<PermissionRow> = db
        .all(sql!(
            "SELECT r.name, p.granted
             FROM team_permissions p
             JOIN repos r ON r.id = p.repo_id
             WHERE p.team_id = $1
             ORDER BY r.name",
            team_id,
        ))
        .await?;
    Ok(rows.into_iter().map(Permission::from).collect())
}

/// Returns the right of a team in a repository.
pub async fn find(db: &dyn Read, repo_id: RepoId, team_id: i64) -> Result<Option<Right>> {
    let statement = sql!("SELECT granted FROM team_permissions WHERE repo_id = $1 AND team_id = $2", repo_id, team_id);
    Ok(db.one::<i64>(statement).await?.map(Right::from_number))
}

/// Sets the right of a team in a repository.
pub async fn upsert(tx: &mut Tx, repo_id: RepoId, team_id: i64, right: Right) -> Result<()> {
    tx.invalidate(Invalidation::Repo(repo_id));
    tx.run(insert!(
        team_permissions { repo_id, team_id, granted: right.number() },
        "ON CONFLICT (repo_id, team_id) DO UPDATE SET granted = excluded.granted",
    ))
    .await?;
    Ok(())
}

/// Removes the right of a team in a repository; returns false if it had none.
pub async fn delete(tx: &mut Tx, repo_id: RepoId, team_id: i64) -> Result<bool> {
    tx.invalidate(Invalidation::Repo(repo_id));
    let removed = tx
        .run(sql!("DELETE FROM team_permissions WHERE repo_id = $1 AND team_id = $2", repo_id, team_id).long())
        .await?;
    Ok(removed == 1)
}
