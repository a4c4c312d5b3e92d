//! `packhouse org`: organizations and their members.

use clap::{Subcommand, ValueEnum};
use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    ConnectionArgs,
    address::encode,
    error::Result,
    output::{listing, people},
    session::{Change, Session},
};

/// The subcommands of `packhouse org`.
#[derive(Debug, Subcommand)]
pub enum OrgCommand {
    /// List the organizations that you are a member of
    Ls,
    /// Show an organization
    Show {
        /// The organization
        org: String,
    },
    /// Create an organization that you own
    Create {
        /// The name in addresses
        org: String,
        /// The display name
        #[arg(long, value_name = "TEXT")]
        full_name: Option<String>,
    },
    /// Change the display name
    Edit {
        /// The organization
        org: String,
        /// The display name
        #[arg(long, value_name = "TEXT")]
        full_name: String,
    },
    /// List the members with their roles
    Members {
        /// The organization
        org: String,
    },
    /// Add a member, or change a member's role
    Add {
        /// The organization
        org: String,
        /// The user
        member: String,
        /// The role
        #[arg(long, default_value = "member")]
        role: Role,
    },
    /// Remove a member
    Remove {
        /// The organization
        org: String,
        /// The user
        member: String,
    },
    /// Delete an organization without repositories
    Delete {
        /// The organization
        org: String,
    },
}

/// The role of a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Role {
    /// May do everything
    Owner,
    /// Manages repositories, teams and members
    Admin,
    /// Has the rights of its teams
    Member,
}

pub(crate) async fn run(connection: &ConnectionArgs, command: &OrgCommand) -> Result<()> {
    let session = &connection.session()?;
    match command {
        OrgCommand::Ls => {
            let user: api::User = session.client.get(&format!("/users/{}", encode(session.client.user()?))).await?;
            session.output.print(&user.organizations, |orgs| orgs.join("\n"));
            Ok(())
        }
        OrgCommand::Show { org } => {
            let found: Value = session.client.get(&path(org)).await?;
            session.output.print(&found, |found| people(org, found));
            Ok(())
        }
        OrgCommand::Members { org } => {
            let found: Value = session.client.get(&path(org)).await?;
            session.output.print(&found["members"], |members| {
                listing(members.as_array().map(Vec::as_slice).unwrap_or_default(), &["name", "type"])
            });
            Ok(())
        }
        other => session.apply(change(session, other)?).await,
    }
}

/// The request of a command that changes something.
fn change(session: &Session, command: &OrgCommand) -> Result<Change> {
    let organization = |org: &str| format!("the organization {org}");
    Ok(match command {
        OrgCommand::Create { org, full_name } => {
            let body = Some(json!({"name": org, "full_name": full_name}));
            let what = organization(org);
            Change { method: Method::POST, path: "/orgs".to_owned(), body, verb: "create", done: "created", what }
        }
        OrgCommand::Edit { org, full_name } => {
            let (path, body, what) = (path(org), Some(json!({"full_name": full_name})), organization(org));
            Change { method: Method::PATCH, path, body, verb: "change", done: "changed", what }
        }
        OrgCommand::Add { org, member, role } => {
            let role = format!("{role:?}").to_lowercase();
            let (path, what) = (of_member(org, member), format!("{member} as {role} of {org}"));
            let body = Some(json!({"type": role}));
            Change { method: Method::PUT, path, body, verb: "add", done: "added", what }
        }
        OrgCommand::Remove { org, member } => {
            let (path, what) = (of_member(org, member), format!("{member} from {org}"));
            session.confirm(&format!("remove {what}"))?;
            Change { method: Method::DELETE, path, body: None, verb: "remove", done: "removed", what }
        }
        OrgCommand::Delete { org } => {
            let (path, what) = (path(org), organization(org));
            session.confirm(&format!("delete {what}"))?;
            Change { method: Method::DELETE, path, body: None, verb: "delete", done: "deleted", what }
        }
        OrgCommand::Ls | OrgCommand::Show { .. } | OrgCommand::Members { .. } => unreachable!("these change nothing"),
    })
}

fn path(org: &str) -> String {
    format!("/orgs/{}", encode(org))
}

fn of_member(org: &str, member: &str) -> String {
    format!("{}/members/{}", path(org), encode(member))
}
