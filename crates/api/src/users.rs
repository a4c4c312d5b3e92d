//! Users, their keys and plans.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::patch::present;

/// A user, or the owner of a repository.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct User {
    /// The name in URLs.
    pub name: String,
    /// The display name.
    pub full_name: String,
    /// The hexadecimal MD5 of the e-mail address in lower case.
    pub gravatar_id: String,
    /// The names of the user's repositories that the caller may read.
    pub repos: Vec<String>,
    /// The organizations that the caller may know of.
    pub organizations: Vec<String>,
    /// How many follow this user.
    pub followers_count: u64,
    /// When the account was made.
    pub registered: String,
    /// The size of the stored content, in bytes.
    pub quota_used_bytes: u64,
}

/// A new user, with the key, which is shown only once.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct CreatedUser {
    /// The user.
    #[serde(flatten)]
    pub user: User,
    /// The password of HTTP Basic authentication.
    pub api_key: String,
}

/// The body that creates a user.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct NewUser {
    /// The name in URLs.
    pub name: String,
    /// The display name.
    pub full_name: Option<String>,
    /// The e-mail address.
    pub email: Option<String>,
    /// For the web pages.
    pub password: Option<String>,
    /// `free`, `premium` or `enterprise`; for site administrators.
    pub plan: Option<String>,
}

/// The body that changes a user. Absent fields stay unchanged.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct UserChange {
    /// The display name.
    pub full_name: Option<String>,
    /// The e-mail address; null removes it.
    #[serde(default, deserialize_with = "present")]
    pub email: Option<Option<String>>,
    /// For the web pages.
    pub password: Option<String>,
}

/// A new API key, shown only once.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ApiKey {
    /// The password of HTTP Basic authentication.
    pub api_key: String,
}

/// The body that sets a plan.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct NewPlan {
    /// `free`, `premium` or `enterprise`.
    pub plan: String,
}
