//! Users and organisations.

use crate::{id::SubjectId, names::SubjectName, plan::Plan, timestamp::Timestamp};

/// The kind of a subject: a person or a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SubjectKind {
    /// A person or a robot that signs in.
    User,
    /// An organisation, which acts through its members.
    Org,
}

impl SubjectKind {
    /// Returns the name of the kind.
    pub fn as_str(self) -> &'static str {
        match self {
            SubjectKind::User => "user",
            SubjectKind::Org => "org",
        }
    }
}

/// A user or an organisation.
#[derive(Debug, Clone)]
pub struct Subject {
    /// Its database id.
    pub id: SubjectId,
    /// Whether it is a user or an organisation.
    pub kind: SubjectKind,
    /// Its name in URLs.
    pub name: SubjectName,
    /// Its display name.
    pub full_name: String,
    /// Its email address; users only.
    pub email: Option<String>,
    /// Whether the user has confirmed the email address.
    pub has_verified_email: bool,
    /// Its plan.
    pub plan: Plan,
    /// Whether it is an administrator of this server.
    pub is_site_admin: bool,
    /// Whether it is suspended: none of its credentials work. Users only.
    pub is_suspended: bool,
    /// Whether its members need a second factor; organizations only.
    pub requires_second_factor: bool,
    /// Whether its members sign in with the provider of single sign-on only; organizations only.
    pub requires_single_sign_on: bool,
    /// When it was created.
    pub registered: Timestamp,
}
