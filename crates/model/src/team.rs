//! Teams of organisations, and their rights.

use crate::{access::Right, id::SubjectId, names::TeamName, timestamp::Timestamp};

/// A team.
#[derive(Debug, Clone)]
pub struct Team {
    /// Its database id.
    pub id: i64,
    /// The id of its organisation.
    pub org_id: SubjectId,
    /// Its name.
    pub name: TeamName,
    /// Whether its members may create repositories in the organisation.
    pub may_create_repos: bool,
    /// When it was created.
    pub created: Timestamp,
}

/// A name and a right: a team of a repository, or a repository of a team.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Permission {
    /// The name of the team, or of the repository.
    pub name: String,
    /// The right of the team in the repository.
    pub right: Right,
}
