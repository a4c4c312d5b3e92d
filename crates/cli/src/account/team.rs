//! `packhouse team`: teams of organizations, and their permissions in repositories.

use clap::{Args, Subcommand, ValueEnum};
use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    ConnectionArgs,
    address::{RepoAddress, encode},
    error::Result,
    output::{listing, people},
    session::{Change, Session, body},
};

/// The subcommands of `packhouse team`.
#[derive(Debug, Subcommand)]
pub enum TeamCommand {
    /// List the teams of an organization
    Ls {
        /// The organization
        org: String,
    },
    /// Show a team with its members and repositories
    Show(TeamName),
    /// Create a team
    Create {
        #[command(flatten)]
        team: TeamName,
        #[command(flatten)]
        fields: TeamFields,
    },
    /// Change a team
    Edit {
        #[command(flatten)]
        team: TeamName,
        #[command(flatten)]
        fields: TeamFields,
    },
    /// Delete a team
    Delete(TeamName),
    /// List the teams that have a permission in a repository
    Permissions {
        /// owner/repo
        #[arg(value_name = "ADDRESS")]
        at: RepoAddress,
    },
    /// Give a team a permission in a repository
    Permit {
        /// owner/repo
        #[arg(value_name = "ADDRESS")]
        at: RepoAddress,
        /// The team of the repository's owner
        team: String,
        /// What the team may do
        permission: Permission,
    },
    /// Revoke the permission of a team in a repository
    Forbid {
        /// owner/repo
        #[arg(value_name = "ADDRESS")]
        at: RepoAddress,
        /// The team of the repository's owner
        team: String,
    },
}

/// A team.
#[derive(Debug, Args)]
pub struct TeamName {
    /// The organization
    org: String,
    /// The team
    team: String,
}

/// The fields of a team.
#[derive(Debug, Args)]
pub struct TeamFields {
    /// The members, which replace the current ones
    #[arg(long, value_name = "USER", value_delimiter = ',')]
    members: Option<Vec<String>>,
    /// Let the members create repositories of the organization
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    allow_repo_creation: Option<bool>,
}

/// What a team may do in a repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Permission {
    /// View and download
    Read,
    /// Upload and publish
    Publish,
    /// Manage
    Admin,
}

pub(crate) async fn run(connection: &ConnectionArgs, command: &TeamCommand) -> Result<()> {
    let session = &connection.session()?;
    match command {
        TeamCommand::Ls { org } => {
            let found: api::TeamList = session.client.get(&format!("/orgs/{}/teams", encode(org))).await?;
            session.output.print(&found.teams, |teams| teams.join("\n"));
            Ok(())
        }
        TeamCommand::Show(team) => {
            let found: Value = session.client.get(&team.path()).await?;
            session.output.print(&found, |found| people(&format!("{}/{}", team.org, team.team), found));
            Ok(())
        }
        TeamCommand::Permissions { at } => {
            let found: Vec<Value> = session.client.get(&format!("/repos/{}/permissions", at.path())).await?;
            session.output.print(&found, |found| listing(found, &["team", "permission"]));
            Ok(())
        }
        other => session.apply(change(session, other)?).await,
    }
}

fn change(session: &Session, command: &TeamCommand) -> Result<Change> {
    Ok(match command {
        TeamCommand::Create { team, fields } => {
            let new = api::NewTeam {
                name: team.team.clone(),
                members: fields.members.clone(),
                allow_repo_creation: fields.allow_repo_creation,
            };
            let (path, what) = (format!("/orgs/{}/teams", encode(&team.org)), team.what());
            Change { method: Method::POST, path, body: Some(body(&new)), verb: "create", done: "created", what }
        }
        TeamCommand::Edit { team, fields } => {
            let (members, allow_repo_creation) = (fields.members.clone(), fields.allow_repo_creation);
            let body = Some(body(&api::TeamChange { members, allow_repo_creation }));
            let (path, what) = (team.path(), team.what());
            Change { method: Method::PATCH, path, body, verb: "change", done: "changed", what }
        }
        TeamCommand::Delete(team) => {
            session.confirm(&format!("delete {}", team.what()))?;
            let (path, what) = (team.path(), team.what());
            Change { method: Method::DELETE, path, body: None, verb: "delete", done: "deleted", what }
        }
        TeamCommand::Permit { at, team, permission } => {
            let permission = format!("{permission:?}").to_lowercase();
            let path = format!("/repos/{}/permissions", at.path());
            let what = format!("the team {team} to {permission} in {at}");
            let body = Some(json!({"team": team, "permission": permission}));
            Change { method: Method::PUT, path, body, verb: "permit", done: "permitted", what }
        }
        TeamCommand::Forbid { at, team } => {
            let what = format!("the permission of the team {team} in {at}");
            session.confirm(&format!("remove {what}"))?;
            let path = format!("/repos/{}/permissions/{}", at.path(), encode(team));
            Change { method: Method::DELETE, path, body: None, verb: "remove", done: "removed", what }
        }
        TeamCommand::Ls { .. } | TeamCommand::Show(_) | TeamCommand::Permissions { .. } => {
            unreachable!("these change nothing")
        }
    })
}

impl TeamName {
    fn path(&self) -> String {
        format!("/orgs/{}/teams/{}", encode(&self.org), encode(&self.team))
    }

    fn what(&self) -> String {
        format!("the team {} of {}", self.team, self.org)
    }
}
