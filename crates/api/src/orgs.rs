//! Organizations and their members.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// An organization.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Org {
    /// The name in URLs.
    pub name: String,
    /// The display name.
    pub full_name: String,
    /// The name of an owner.
    pub owner: Option<String>,
    /// The names of its repositories that the caller may read.
    pub repos: Vec<String>,
    /// Its members; shown to members only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub members: Option<Vec<Member>>,
    /// The names of its teams; shown to its owners and admins only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub teams: Option<Vec<String>>,
    /// Whether members need a second factor; absent if not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub require_second_factor: bool,
    /// Whether members sign in with the provider of single sign-on only; absent if not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub require_single_sign_on: bool,
    /// How many follow it.
    pub followers_count: u64,
    /// When it was made.
    pub registered: String,
    /// The size of its stored content, in bytes.
    pub quota_used_bytes: u64,
}

/// A member of an organization.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Member {
    /// The user's name.
    pub name: String,
    /// `owner`, `admin` or `member`.
    #[serde(rename = "type")]
    pub role: String,
}

/// The body that creates an organization.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct NewOrg {
    /// The name in URLs.
    pub name: String,
    /// The display name.
    pub full_name: Option<String>,
}

/// The body that changes an organization. Absent fields stay unchanged.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct OrgChange {
    /// The display name.
    pub full_name: Option<String>,
    /// Whether members need a second factor; for owners.
    pub require_second_factor: Option<bool>,
    /// Whether members sign in with the provider of single sign-on only; for owners.
    pub require_single_sign_on: Option<bool>,
}

/// The body that adds or changes a member.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct NewMember {
    /// `owner`, `admin` or `member`.
    #[serde(rename = "type")]
    pub role: String,
}
