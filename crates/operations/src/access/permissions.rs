//! The permissions of teams in the repositories of their organization. The repository's owners set them.

use database::{
    Read, ScopedFutureExt,
    access::{permissions, teams},
};
use model::{
    access::Right,
    address::RepoAddress,
    names::TeamName,
    plan::Plan,
    repo::Repo,
    team::{Permission, Team},
};

use crate::{
    Caller, Error, House, Result,
    access::{self, teams::not_found},
    audit::{entry, record, record_edits},
    change::Edits,
};

/// Lists the teams that have a permission in a repository.
#[boxed::future]
pub async fn list(house: &House, caller: &Caller, at: &RepoAddress) -> Result<Vec<Permission>> {
    let repo = access::repo(&house.db, caller, at, Right::Own).await?.repo;
    Ok(permissions::list_of_repo(&house.db, repo.id).await?)
}

/// Returns the permission of a team in a repository.
#[boxed::future]
pub async fn show(house: &House, caller: &Caller, at: &RepoAddress, team: &TeamName) -> Result<Permission> {
    let repo = access::repo(&house.db, caller, at, Right::Own).await?.repo;
    let found = find_team(&house.db, &repo, team).await?;
    let right = permissions::find(&house.db, repo.id, found.id).await?.ok_or_else(|| no_permission(team))?;
    Ok(Permission { name: team.to_string(), right })
}

/// Sets the permission of a team in a repository.
#[boxed::future]
pub async fn set(house: &House, caller: &Caller, at: &RepoAddress, team: &TeamName, right: Right) -> Result<()> {
    let repo = access::repo(&house.db, caller, at, Right::Own).await?.repo;
    access::check_plan(repo.plan, Plan::Premium)?;
    let log = &entry(house, caller, "permission.set", at, team);
    house
        .db
        .write(|tx| {
            async move {
                let repo = access::lock_repo(tx, caller, at, Right::Own).await?.repo;
                let found = find_team(tx, &repo, team).await?;
                let before = permissions::find(tx, repo.id, found.id).await?;
                match permissions::upsert(tx, repo.id, found.id, right).await {
                    // Deleted while it was being set.
                    Err(database::Error::Missing) => return Err(not_found(team)),
                    other => other?,
                }
                let mut edits = Edits::default();
                edits.record_set_texts("permission", before.map_or("none", name), name(right));
                record_edits(tx, log, &edits).await
            }
            .scope_boxed()
        })
        .await
}

/// Deletes the permission of a team in a repository.
#[boxed::future]
pub async fn delete(house: &House, caller: &Caller, at: &RepoAddress, team: &TeamName) -> Result<()> {
    access::repo(&house.db, caller, at, Right::Own).await?;
    let log = &entry(house, caller, "permission.delete", at, team);
    house
        .db
        .write(|tx| {
            async move {
                let repo = access::lock_repo(tx, caller, at, Right::Own).await?.repo;
                let found = find_team(tx, &repo, team).await?;
                if !permissions::delete(tx, repo.id, found.id).await? {
                    return Err(no_permission(team));
                }
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await
}

/// Returns the team, of the organization that owns the repository. A user's repository has no teams.
async fn find_team(db: &dyn Read, repo: &Repo, team: &TeamName) -> Result<Team> {
    teams::find(db, repo.owner_id, team).await?.ok_or_else(|| not_found(team))
}

fn no_permission(team: &TeamName) -> Error {
    Error::NotFound { what: "Permission", name: team.to_string() }
}

/// The rights that a team may have, with their public names.
const NAMES: [(&str, Right); 3] = [("read", Right::Read), ("publish", Right::Publish), ("admin", Right::Own)];

/// Returns the public name of a team's right.
pub fn name(right: Right) -> &'static str {
    NAMES.into_iter().find(|(_, known)| *known == right).map_or("none", |(name, _)| name)
}

/// Returns the right with this name.
pub fn parse(text: &str) -> Option<Right> {
    NAMES.into_iter().find(|(name, _)| *name == text).map(|(_, right)| right)
}
