//! Teams of organizations.

use std::fmt;

use database::{
    ScopedFutureExt, Tx,
    access::{permissions, teams},
};
use model::{
    access::Action,
    names::{SubjectName, TeamName},
    plan::Plan,
    subject::{Subject, SubjectKind},
    team::{Permission, Team},
};

use crate::{
    Caller, Error, House, Result, access,
    audit::{entry, record, record_edits},
    change::Edits,
};

/// The maximum number of members of a team.
const MEMBERS: usize = 1_000;

/// `org/team`.
#[derive(Debug, Clone)]
pub struct TeamAddress {
    /// The organization's name.
    pub org: SubjectName,
    /// The team's name.
    pub team: TeamName,
}

/// Changes to a team. Absent fields stay as they are.
#[derive(Debug, Clone, Default)]
pub struct TeamChange {
    /// The names of its members.
    pub members: Option<Vec<String>>,
    /// Whether its members may create repositories of the organization.
    pub may_create_repos: Option<bool>,
}

/// A team, with its members and permissions.
#[derive(Debug, Clone)]
pub struct TeamDetail {
    /// The team.
    pub team: Team,
    /// The names of its members.
    pub members: Vec<String>,
    /// Its permissions in repositories.
    pub repos: Vec<Permission>,
}

/// Lists the names of an organization's teams, for callers who manage it.
#[boxed::future]
pub async fn list(house: &House, caller: &Caller, org: &SubjectName) -> Result<Vec<String>> {
    let org = access::account(&house.db, caller, SubjectKind::Org, org, Action::ManageMembers).await?;
    Ok(teams::list_names(&house.db, org.id).await?)
}

/// Returns a team, for callers who manage its organization.
#[boxed::future]
pub async fn show(house: &House, caller: &Caller, at: &TeamAddress) -> Result<TeamDetail> {
    let org = access::account(&house.db, caller, SubjectKind::Org, &at.org, Action::ManageMembers).await?;
    let team = teams::find(&house.db, org.id, &at.team).await?.ok_or_else(|| not_found(&at.team))?;
    let members = teams::list_members(&house.db, team.id).await?;
    let repos = permissions::list_of_team(&house.db, team.id).await?;
    Ok(TeamDetail { team, members, repos })
}

/// Creates a team.
#[boxed::future]
pub async fn create(house: &House, caller: &Caller, at: &TeamAddress, change: TeamChange) -> Result<TeamDetail> {
    let org = &access::account(&house.db, caller, SubjectKind::Org, &at.org, Action::ManageMembers).await?;
    access::check_plan(org.plan, Plan::Premium)?;
    let (members, log) = (&change.members()?, &entry(house, caller, "team.create", at, ""));
    let team = &Team {
        id: house.next_id(),
        org_id: org.id,
        name: at.team.clone(),
        may_create_repos: change.may_create_repos.unwrap_or_default(),
        created: log.at,
    };
    house
        .db
        .write(|tx| {
            async move {
                lock_org(tx, caller, org).await?;
                match teams::insert(tx, team).await {
                    Err(database::Error::Conflict) => {
                        return Err(Error::Conflict(format!("Team '{}' already exists", team.name)));
                    }
                    other => other?,
                }
                insert_members(tx, team, members.as_deref().unwrap_or_default()).await?;
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await?;
    show(house, caller, at).await
}

/// Changes a team.
#[boxed::future]
pub async fn edit(house: &House, caller: &Caller, at: &TeamAddress, change: TeamChange) -> Result<()> {
    let org = &access::account(&house.db, caller, SubjectKind::Org, &at.org, Action::ManageMembers).await?;
    access::check_plan(org.plan, Plan::Premium)?;
    let members = &change.members()?;
    let (change, log) = (&change, &entry(house, caller, "team.edit", at, ""));
    house
        .db
        .write(|tx| {
            async move {
                lock_org(tx, caller, org).await?;
                let team = teams::find(tx, org.id, &at.team).await?;
                let mut team = team.ok_or_else(|| not_found(&at.team))?;
                let mut edits = Edits::default();
                edits.set("allow_repo_creation", &mut team.may_create_repos, &change.may_create_repos);
                teams::update(tx, team.id, team.may_create_repos).await?;
                if let Some(members) = members {
                    let before = teams::list_members(tx, team.id).await?;
                    teams::delete_members(tx, team.id).await?;
                    insert_members(tx, &team, members).await?;
                    edits.record("members", &before, &teams::list_members(tx, team.id).await?);
                }
                record_edits(tx, log, &edits).await
            }
            .scope_boxed()
        })
        .await
}

/// Deletes a team, and with it the permissions that its members have through it. No plan is needed, because nothing is
/// granted.
#[boxed::future]
pub async fn delete(house: &House, caller: &Caller, at: &TeamAddress) -> Result<()> {
    let org = &access::account(&house.db, caller, SubjectKind::Org, &at.org, Action::ManageMembers).await?;
    let log = &entry(house, caller, "team.delete", at, "");
    house
        .db
        .write(|tx| {
            async move {
                lock_org(tx, caller, org).await?;
                let team = teams::find(tx, org.id, &at.team).await?.ok_or_else(|| not_found(&at.team))?;
                teams::delete(tx, team.id).await?;
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await
}

/// Locks the organization and checks the right again, because the caller may have lost it in the meantime.
async fn lock_org(tx: &mut Tx, caller: &Caller, org: &Subject) -> Result<()> {
    let org = access::lock(tx, org).await?;
    access::check_account(tx, caller, &org, Action::ManageMembers).await
}

/// Adds members to a team. Only members of the organization can be in its teams.
async fn insert_members(tx: &mut Tx, team: &Team, members: &[SubjectName]) -> Result<()> {
    for name in members {
        if !teams::insert_member(tx, team, name).await? {
            return Err(Error::invalid("members", format!("'{name}' is not a member of the organization")));
        }
    }
    Ok(())
}

pub(crate) fn not_found(name: &TeamName) -> Error {
    Error::NotFound { what: "Team", name: name.to_string() }
}

impl TeamChange {
    fn members(&self) -> Result<Option<Vec<SubjectName>>> {
        let Some(members) = &self.members else { return Ok(None) };
        if members.len() > MEMBERS {
            return Err(Error::invalid("members", "there are more than 1,000"));
        }
        let names = members.iter().map(|name| SubjectName::parse(name));
        names.collect::<std::result::Result<_, _>>().map(Some).map_err(|error| Error::invalid("members", error))
    }
}

impl fmt::Display for TeamAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.org, self.team)
    }
}
