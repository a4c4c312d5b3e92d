//! Teams of organizations, and their permissions in repositories.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::flag::maybe_flag;

/// The names of an organization's teams.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct TeamList {
    /// The names.
    pub teams: Vec<String>,
}

/// A team.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Team {
    /// Its name.
    pub name: String,
    /// The names of its members.
    pub members: Vec<String>,
    /// Whether they may create repositories of the organization.
    pub allow_repo_creation: bool,
    /// What they may do in which repositories: `read`, `publish` or `admin`.
    pub permitted_repos: BTreeMap<String, String>,
}

/// The body that creates a team.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct NewTeam {
    /// Its name.
    pub name: String,
    /// The names of its members, who are members of the organization.
    pub members: Option<Vec<String>>,
    /// Whether they may create repositories of the organization.
    #[serde(default, deserialize_with = "maybe_flag")]
    pub allow_repo_creation: Option<bool>,
}

/// The body that changes a team. Absent fields stay unchanged.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct TeamChange {
    /// The names of its members, who are members of the organization.
    pub members: Option<Vec<String>>,
    /// Whether they may create repositories of the organization.
    #[serde(default, deserialize_with = "maybe_flag")]
    pub allow_repo_creation: Option<bool>,
}

/// What a team may do in a repository. Also the body that sets it.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Permission {
    /// The name of the team.
    pub team: String,
    /// `read`, `publish` or `admin`.
    pub permission: String,
}
