//! Roles of users in an organization.

/// A member's role. Each includes the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Belongs to the organization; has rights through teams only.
    Member,
    /// Manages repositories, teams and members, but not owners.
    Admin,
    /// Manages everything, and can delete the organization.
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

    /// Returns the role with this name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.as_str() == text)
    }
}
