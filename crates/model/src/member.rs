//! Members of organisations.

use crate::{id::SubjectId, role::Role};

/// A name and a role: a member of an organisation, or an organisation of a user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Membership {
    /// The database id of the other side.
    pub id: SubjectId,
    /// The name of the other side.
    pub name: String,
    /// The user's role in the organisation.
    pub role: Role,
}
