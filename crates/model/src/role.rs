//! What a user is in an organisation.

/// A member's role. Each may do what the one before it may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Belongs to the organisation; rights come through teams.
    Member,
    /// Manages repositories, teams and members, but not owners.
    Admin,
    /// Manages everything, and may delete the organisation.
    Owner,
}

impl Role {
    /// Every role, weakest first.
    pub const ALL: [Role; 3] = [Role::Member, Role::Admin, Role::Owner];

    /// The role's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Role::Member => "member",
            Role::Admin => "admin",
            Role::Owner => "owner",
        }
    }

    /// The role of this name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.as_str() == text)
    }
}
