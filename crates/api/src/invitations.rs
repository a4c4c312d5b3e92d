//! Invitations to organizations.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// An invitation to an organization.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Invitation {
    /// Its id.
    pub id: String,
    /// The invited e-mail address.
    pub email: String,
    /// The role of the new member: `owner`, `admin` or `member`.
    #[serde(rename = "type")]
    pub role: String,
    /// Who invites.
    pub inviter: String,
    /// When it was made.
    pub created: String,
    /// When it expires.
    pub expiry: String,
    /// The link, in the answer that creates the invitation, if the server sends no mail. It is not shown again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

/// The body that invites somebody.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct NewInvitation {
    /// The e-mail address.
    pub email: String,
    /// `owner`, `admin` or `member`.
    #[serde(rename = "type")]
    pub role: String,
}

/// The body that accepts an invitation.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct InvitationAnswer {
    /// The secret at the end of the link.
    pub token: String,
}
