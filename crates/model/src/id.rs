//! Database ids. Each noun has a type of its own, so that the id of one is not taken for that of another.

use std::fmt;

macro_rules! ids {
    ($($(#[$meta:meta])* $name:ident,)+) => { $(
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(i64);

        impl $name {
            /// No row has this id. It sorts before the ids of rows.
            pub const NONE: Self = Self(0);

            /// Wraps the number of a row.
            pub const fn new(id: i64) -> Self {
                Self(id)
            }

            /// Returns the number of the row.
            pub const fn get(self) -> i64 {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    )+ };
}

ids! {
    /// The id of a repository.
    RepoId,
    /// The id of a package.
    PackageId,
    /// The id of a version.
    VersionId,
    /// The id of a user or an organization.
    SubjectId,
    /// The id of a blob.
    BlobId,
    /// The id of an access key.
    KeyId,
    /// The id of a token.
    TokenId,
    /// The id of a trusted publisher.
    PublisherId,
    /// The id of an invitation.
    InvitationId,
}

macro_rules! shown_ids {
    ($($name:ident),+) => { $(
        impl $name {
            /// Formats the id for people and programs, always with the same length.
            pub fn name(self) -> String {
                format!("{:016x}", self.0)
            }

            /// Reads what [`Self::name`] has formatted, and no other spelling.
            pub fn parse(name: &str) -> Option<Self> {
                i64::from_str_radix(name, 16).ok().map(Self).filter(|id| id.name() == name)
            }
        }
    )+ };
}

shown_ids!(TokenId, PublisherId, InvitationId);

/// The id of a user, of an access key or of a token for some resources: those that rights are looked up for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GranteeId {
    /// The user with this id.
    User(SubjectId),
    /// The access key with this id.
    Key(KeyId),
    /// The token with this id, whose rights are those of its owner in its resources.
    Token(TokenId),
}
