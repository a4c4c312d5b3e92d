//! How users sign in: sessions, the second factor, suspension and passwords.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A session on the web pages.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Session {
    /// Identifies it among the user's sessions.
    pub id: String,
    /// The device in a few words.
    pub device: String,
    /// The IP address that it was opened from.
    pub address: Option<String>,
    /// The ISO 3166-1 code of the country.
    pub country: Option<String>,
    /// How the user signed in.
    pub method: Option<String>,
    /// When it was opened.
    pub created: String,
    /// When it was last used, to about ten minutes.
    pub used: String,
}

/// The second factor of a user.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct SecondFactor {
    /// Whether it is on.
    pub enabled: bool,
    /// Since when it is on.
    pub since: Option<String>,
    /// How many recovery codes are left.
    pub recovery_codes: u64,
}

/// A new password, shown only once.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct NewPassword {
    /// The password for the web pages.
    pub password: String,
}

/// The body that renames a user or an organization.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct NewName {
    /// The new name in URLs.
    pub name: String,
}

/// A user or an organization, for site administrators.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ListedSubject {
    /// The name in URLs.
    pub name: String,
    /// `user` or `org`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The display name.
    pub full_name: String,
    /// The e-mail address.
    pub email: Option<String>,
    /// `free`, `premium` or `enterprise`.
    pub plan: String,
    /// Whether it is an administrator of this server.
    pub site_admin: bool,
    /// Whether it is suspended.
    pub suspended: bool,
    /// When the account was made.
    pub registered: String,
}
